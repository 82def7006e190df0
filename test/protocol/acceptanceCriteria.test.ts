import { expect } from 'chai';
import { MAX_CRITERIA, readCriteria } from '../../server/protocol/acceptanceCriteria.ts';
import { markdownSections } from '../../server/protocol/markdownSections.ts';

const read = (text: string) => readCriteria(markdownSections(`## Acceptance criteria\n${text}`)[0]!);

describe('readCriteria', () => {
  it('reads items however the list is marked', () => {
    const text =
      'AC-1: one\n- AC-2: two\n  more\n* **AC-3:** three\n1. AC-4: four\n2) AC-5:five\n  + AC-6: six\nsee AC-1: x';
    expect(read(text)).to.deep.equal({
      criteria: [
        { id: 'AC-1', text: 'one' },
        { id: 'AC-2', text: 'two' },
        { id: 'AC-3', text: 'three' },
        { id: 'AC-4', text: 'four' },
        { id: 'AC-5', text: 'five' },
        { id: 'AC-6', text: 'six' },
      ],
      issues: [],
    });
  });

  const faults: [why: string, text: string, messages: string[]][] = [
    ['none', 'It must be good.', ['At least one']],
    ['only in code', '```\nAC-1: x\n```', ['At least one']],
    ['from 2', 'AC-2: x', ['AC-2 stands where AC-1']],
    ['from 0', 'AC-0: x', ['AC-0 stands where AC-1']],
    ['gap', 'AC-1: x\nAC-3: y', ['AC-3 stands where AC-2']],
    ['repeated', 'AC-1: x\nAC-1: y', ['AC-1 stands where AC-2']],
    ['leading zero', 'AC-01: x', ['AC-01 stands where AC-1']],
    ['empty', 'AC-1:  \nAC-2: x', ['AC-1 says nothing']],
    ['descending', 'AC-2: x\nAC-1: y', ['AC-2 stands where AC-1', 'AC-1 stands where AC-2']],
  ];
  for (const [why, text, messages] of faults) {
    it(`names: ${why}`, () => {
      const { issues } = read(text);
      expect(issues).to.have.length(messages.length);
      messages.forEach((message, index) => {
        expect(issues[index]).to.have.property('path', 'section:Acceptance criteria');
        expect(issues[index]).to.have.property('message').that.contains(message);
      });
    });
  }

  it('takes 100 and no more', () => {
    const items = (count: number) =>
      Array.from({ length: count }, (_, index) => `AC-${index + 1}: x`).join('\n');
    expect(read(items(MAX_CRITERIA)).issues).to.deep.equal([]);
    expect(read(items(MAX_CRITERIA + 1)).issues.map(({ message }) => message)).to.deep.equal([
      'At most 100 criteria are allowed.',
    ]);
  });
});
