import { expect } from 'chai';
import { brokenYamlBound } from '../../server/protocol/yamlBounds.ts';

describe('brokenYamlBound', () => {
  it('lets ordinary frontmatter pass', () => {
    const inputs = '  - name: a\n    uri: https://example.org/a\n'.repeat(200);
    const flow = `keywords: [${'a, '.repeat(500)}b]\n`;
    const map = `reward: {${'a: b, '.repeat(500)}c: d}\n`;
    expect(brokenYamlBound(`title: "[[[[[[[[[["\ninputs:\n${inputs}${flow}${map}`)).to.equal(undefined);
  });

  const bombs: [why: string, yaml: string, message: string][] = [
    ['brackets', `a: ${'['.repeat(100_000)}`, 'nests'],
    ['brackets on many lines', '[\n'.repeat(50_000), 'nests'],
    ['braces', `a: ${'{'.repeat(9)}`, 'nests'],
    ['braces after many ends', `${']'.repeat(100)} ${'{'.repeat(9)}`, 'nests'],
    ['list items', '- '.repeat(9), 'nests'],
    ['explicit keys', '? '.repeat(9), 'nests'],
    ['values', 'a: '.repeat(9), 'nests'],
    ['anchors', '- &a b\n'.repeat(51), 'Tags'],
    ['aliases', '- *a\n'.repeat(51), 'Tags'],
    ['tags', '- !x b\n'.repeat(51), 'Tags'],
    ['directive', '%YAML 1.1\n---\na: b', 'Directives'],
    ['tag directive', '%TAG ! tag:x\n---\na: b', 'Directives'],
    ['document start', '--- a\n', 'Directives'],
    ['document end', 'a: b\n...\nc: d', 'Directives'],
  ];
  for (const [why, yaml, message] of bombs) {
    it(`stops: ${why}`, () => {
      expect(brokenYamlBound(yaml)).to.contain(message);
    });
  }

  it('takes the deepest that is allowed', () => {
    expect(brokenYamlBound(`${'['.repeat(8)}${']'.repeat(8)}`)).to.equal(undefined);
    expect(brokenYamlBound('- '.repeat(8))).to.equal(undefined);
    expect(brokenYamlBound('- &a b\n'.repeat(50))).to.equal(undefined);
  });
});
