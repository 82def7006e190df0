/**
 * `npm run abi`: compiles the contracts and writes what the rest of the repository uses of them. The files are
 * committed; a test compiles again and fails when they differ. Only `*.json` carries bytecode: `*Abi.ts` is imported
 * by server/protocol, which also runs in browsers.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CompiledContract, compileSolidity } from './compileSolidity.ts';

const CONTRACTS = ['abis/Hub.sol', 'abis/TestToken.sol'];

/** Every generated file: its name inside `abis/`, and its exact text. Writes nothing. */
export function compileContracts(): Map<string, string> {
  const files = new Map<string, string>();
  for (const contract of compileSolidity(CONTRACTS)) {
    const constant = `${contract.contractName[0]?.toLowerCase()}${contract.contractName.slice(1)}Abi`;
    files.set(`${contract.contractName}.json`, `${JSON.stringify(contract, null, 2)}\n`);
    files.set(`${constant}.ts`, typedAbi(constant, contract));
  }
  return files;
}

/** A module whose ABI keeps its literal types, from which viem infers arguments and results; one line an item. */
function typedAbi(constant: string, contract: CompiledContract): string {
  return [
    `// The ABI of ${contract.contractName}.sol. Written by \`npm run abi\`: do not edit.`,
    '',
    `/** The ABI of \`${contract.contractName}\`, literally typed for viem. */`,
    `export const ${constant} = [`,
    ...contract.abi.map((item) => `  ${JSON.stringify(item)},`),
    '] as const;',
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of compileContracts()) writeFileSync(new URL(name, import.meta.url), text);
}
