/** The generated files of `abis/` are what their sources compile to, and what imports the ABI imports no bytecode. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { compileContracts } from '../../abis/compile.ts';

describe('generated ABIs', () => {
  let files: Map<string, string>;
  before(function () {
    this.timeout(30_000);
    files = compileContracts();
  });

  for (const name of ['Hub.json', 'hubAbi.ts', 'TestToken.json', 'testTokenAbi.ts'])
    it(`${name} is up to date; otherwise run: npm run abi`, () => {
      const committed = readFileSync(new URL(`../../abis/${name}`, import.meta.url), 'utf8');
      expect(committed === files.get(name)).to.equal(true);
    });

  it('are all listed here, and the typed ones carry no bytecode', () => {
    expect([...files.keys()]).to.have.members(['Hub.json', 'hubAbi.ts', 'TestToken.json', 'testTokenAbi.ts']);
    for (const name of ['hubAbi.ts', 'testTokenAbi.ts']) expect(files.get(name)).to.not.match(/[0-9a-f]{64}/);
  });
});
