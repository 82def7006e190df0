/**
 * The local stack's chain: one anvil process on a free loopback port, whose pid is anvil's own (no npx wrapper between).
 * `finalized` is latest - 2 (`--slots-in-an-epoch 1`), so that finality, which every read rests on, can be
 * tried within seconds. For local runs and tests alone: the accounts come from a mnemonic that everybody knows.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Chain id of every local chain: anvil's default. */
export const LOCAL_CHAIN_ID = 31337;

/** The development mnemonic of anvil and Hardhat (path m/44'/60'/0'/0/i). Worth nothing on any other chain. */
export const LOCAL_MNEMONIC = 'test test test test test test test test test test test junk';

/** How many accounts of the mnemonic own ether. */
export const LOCAL_ACCOUNT_COUNT = 20;

const START_TIMEOUT_MS = 15_000;
const STOP_TIMEOUT_MS = 3_000;
const KEPT_STDERR_CHARACTERS = 4_000;
const LISTENING = /Listening on 127\.0\.0\.1:(\d+)/;

/** A block for each transaction, or one every so many seconds. */
export type Mining = 'automine' | { readonly intervalSeconds: number };

/** How a local chain mines, and who hears of it. */
export interface ChainOptions {
  readonly mining: Mining;
  /** Default a free port. */
  readonly port?: number;
  /** A file that the chain's state is read from at the start and written to at the end; default none. */
  readonly statePath?: string;
  /** True keeps anvil's own log off stderr; default true. */
  readonly silent?: boolean;
  /** Called once with the process, before it is known to answer: a launcher can put it under watch. */
  readonly onSpawn?: (child: ChildProcess) => void;
}

/** A running local chain. */
export interface LocalChain {
  readonly rpcUrl: string;
  readonly port: number;
  readonly process: ChildProcess;
  /** Ends anvil and waits until it is gone; may be called any number of times. */
  stop(): Promise<void>;
}

/** Starts anvil on a free port of 127.0.0.1 and resolves once it answers; throws with its stderr when it ends early. */
export async function startChain(options: ChainOptions): Promise<LocalChain> {
  const child = spawn(anvilBinary(), anvilArguments(options), { stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = stopper(child);
  options.onSpawn?.(child);
  if (options.silent === false) {
    child.stdout.pipe(process.stderr, { end: false });
    child.stderr.pipe(process.stderr, { end: false });
  }
  try {
    const port = await listeningPort(child);
    const rpcUrl = `http://127.0.0.1:${port}`;
    await expectChainId(rpcUrl);
    return { rpcUrl, port, process: child, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function anvilArguments({ mining, port, statePath }: ChainOptions): string[] {
  const args = ['--host', '127.0.0.1', '--port', String(port ?? 0), '--chain-id', String(LOCAL_CHAIN_ID)];
  args.push('--slots-in-an-epoch', '1');
  args.push('--mnemonic', LOCAL_MNEMONIC, '--accounts', String(LOCAL_ACCOUNT_COUNT), '--balance', '1000000');
  if (mining !== 'automine') args.push('--block-time', String(mining.intervalSeconds));
  if (statePath !== undefined) args.push('--state', statePath, '--state-interval', '10');
  return args;
}

/** The native binary of this platform's package, the only part of anvil that is needed. */
function anvilBinary(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const binary = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`;
  try {
    return join(createRequire(import.meta.url).resolve(`${name}/package.json`), '..', 'bin', binary);
  } catch (cause) {
    throw new Error(`anvil has no binary for this platform: ${name} is not installed`, { cause });
  }
}

/** Resolves with the port that anvil chose; both pipes stay drained after that, or anvil would block on them. */
function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let printed = '';
    let complained = '';
    const timer = setTimeout(
      () => reject(new Error(`anvil did not listen within ${START_TIMEOUT_MS} ms: ${complained}`)),
      START_TIMEOUT_MS,
    );
    child.stderr?.on('data', (chunk: Buffer) => {
      complained = (complained + chunk.toString()).slice(-KEPT_STDERR_CHARACTERS);
    });
    const onPrinted = (chunk: Buffer): void => {
      printed += chunk.toString();
      const port = LISTENING.exec(printed)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      child.stdout?.off('data', onPrinted).resume();
      resolve(Number(port));
    };
    child.stdout?.on('data', onPrinted);
    child.once('error', (cause) => {
      clearTimeout(timer);
      reject(new Error('anvil could not be started', { cause }));
    });
    // `close`, not `exit`: only then has all of stderr been read.
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`anvil ended early (${signal ?? `code ${code}`}): ${complained.trim()}`));
    });
  });
}

async function expectChainId(rpcUrl: string): Promise<void> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    signal: AbortSignal.timeout(START_TIMEOUT_MS),
  });
  const { result } = (await response.json()) as { result?: unknown };
  if (Number(result) !== LOCAL_CHAIN_ID) throw new Error(`anvil answers for chain ${String(result)}`);
}

function stopper(child: ChildProcess): () => Promise<void> {
  const killWithParent = (): void => void child.kill('SIGKILL');
  process.once('exit', killWithParent);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  }).then(() => void process.off('exit', killWithParent));
  return async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  };
}
