/** Completeness: every error that the Hub can answer is expected by name, as a value, in some test beside this one. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { hubAbi } from '../../abis/hubAbi.ts';

describe('Hub refusals', () => {
  const folder = new URL('./', import.meta.url);
  const tests = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts') && name !== 'refusals.test.ts')
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');

  for (const item of hubAbi)
    if (item.type === 'error')
      it(`${item.name} is tried`, () => {
        // In quotes alone or in a pattern: as an expectation, not as a word in a comment.
        expect(tests).to.match(new RegExp(`['\`]${item.name}\\b`));
      });
});
