/**
 * Compiles Solidity files of this repository with the pinned solc (WASM, no download), the same bytes on every machine:
 * fixed optimizer and EVM version, and no metadata hash, so a changed comment or folder does not change the bytecode.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import solc from 'solc';
import type { Abi, Hex } from 'viem';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);

/** Base and Ethereum run everything in Cancun; nothing later is needed. */
const EVM_VERSION = 'cancun';
const OPTIMIZER_RUNS = 200;

/** Solc says this wherever transient storage is used, and itself that a reentrancy guard is the safe use of it. */
const TRANSIENT_STORAGE_NOTICE = '2394';

/** One compiled contract, as it stands in `abis/<contractName>.json`. */
export interface CompiledContract {
  readonly contractName: string;
  readonly compiler: string;
  readonly abi: Abi;
  readonly bytecode: Hex;
}

interface SolcOutput {
  readonly errors?: readonly { readonly errorCode?: string; readonly formattedMessage: string }[];
  readonly contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>;
}

/**
 * Compiles the contract `X` of each file `folder/X.sol`, paths relative to the repository's root, in the order given;
 * throws with the compiler's own words on any error or warning.
 */
export function compileSolidity(paths: readonly string[]): CompiledContract[] {
  const output = JSON.parse(
    solc.compile(JSON.stringify(standardInput(paths)), { import: readImport }),
  ) as SolcOutput;
  const faults = output.errors?.filter((fault) => fault.errorCode !== TRANSIENT_STORAGE_NOTICE) ?? [];
  if (faults.length > 0) throw new Error(faults.map((fault) => fault.formattedMessage).join('\n'));
  return paths.map((path) => {
    const contractName = path.slice(path.lastIndexOf('/') + 1, -'.sol'.length);
    const contract = output.contracts?.[path]?.[contractName];
    if (!contract) throw new Error(`${path} holds no contract ${contractName}`);
    return {
      contractName,
      compiler: solc.version(),
      abi: contract.abi,
      bytecode: `0x${contract.evm.bytecode.object}`,
    };
  });
}

/** Solidity's Standard JSON input (docs.soliditylang.org, "Compiler Input and Output JSON Description"). */
function standardInput(paths: readonly string[]): object {
  return {
    language: 'Solidity',
    sources: Object.fromEntries(
      paths.map((path) => [path, { content: readFileSync(join(ROOT, path), 'utf8') }]),
    ),
    settings: {
      optimizer: { enabled: true, runs: OPTIMIZER_RUNS },
      evmVersion: EVM_VERSION,
      metadata: { bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
}

function readImport(path: string): { contents: string } | { error: string } {
  try {
    const file = path.startsWith('@') ? require.resolve(path) : join(ROOT, path);
    return { contents: readFileSync(file, 'utf8') };
  } catch (error) {
    return { error: String(error) };
  }
}
