// `service-cli verify-record <bounty_id>`: recomputes a bounty's VerificationRecord from the chain's logs and IPFS alone,
// and compares it with one that somebody else derived. Exit code 0 when they are the same bytes, 1 when not, 5 while there
// is no record yet or a neighbour does not answer.

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import type { Address } from 'viem';
import { parseAddress } from '../../protocol/accountAddress.ts';
import { canonicalJson } from '../../protocol/canonicalJson.ts';
import { isUint256 } from '../../protocol/shapeCheck.ts';
import { recomputeRecord } from '../../sdk/verifyRecord.ts';
import { chainDestinationOf, requireHttp } from '../deployment.ts';
import { CommandError, EXIT, UsageError } from '../exitCode.ts';
import { bountyIdOf, withJson } from '../options.ts';
import { isOutage } from '../outage.ts';
import type { Terminal } from '../terminal.ts';

interface Options {
  readonly deployment?: string;
  readonly rpcUrl?: string;
  readonly ipfsUrl?: string;
  readonly hub?: string;
  readonly fromBlock: string;
  readonly record?: string;
}

/** The command; prints the record's canonical JSON on stdout, with `--json` and without: it is the result. */
export function verifyRecordCommand(terminal: Terminal): Command {
  return withJson(new Command('verify-record'))
    .description(
      "Recompute a bounty's VerificationRecord from the chain's logs and IPFS, without API and subgraph.",
    )
    .argument('<bounty_id>', 'decimal')
    .option('--deployment <name|file>', 'where what follows is not given: as for every other command')
    .option('--rpc-url <url>', 'an RPC of the chain that you trust (or SERVICE_CLI_RPC_URL)')
    .option('--ipfs-url <url>', "an IPFS node's RPC that has the challenge")
    .option('--hub <address>', 'the Hub')
    .option('--from-block <number>', 'the block that the Hub was deployed in', '0')
    .option('--record <file>', 'compare with this record (- for standard input)')
    .addHelpText(
      'after',
      '\nExample:\n  service-cli verify-record 7 --rpc-url http://127.0.0.1:8545 --ipfs-url http://127.0.0.1:5001 --hub 0x5FbD…',
    )
    .action(async (bountyId: string, options: Options) => {
      const origin = { ...(await whereOf(options, terminal)), bountyId: bountyIdOf(bountyId) };
      const given = options.record === undefined ? undefined : await givenRecord(options.record);
      const result = await recomputeRecord(origin).catch((error: unknown) => {
        const why = `Nothing could be recomputed: ${firstLine(error)}`;
        throw new CommandError(why, isOutage(error) ? EXIT.later : EXIT.failed);
      });
      if ('unavailable' in result) throw new CommandError(result.unavailable, EXIT.later);
      const recomputed = canonicalJson(result.record);
      terminal.out(`${recomputed}\n`);
      if (given === undefined) return;
      if (given !== recomputed)
        throw new CommandError(
          difference(given, recomputed),
          EXIT.failed,
          'Do not rely on the record that you were given.',
        );
      terminal.log('The record is the same, byte for byte.\n');
    });
}

async function whereOf(options: Options, terminal: Terminal) {
  const { deployment, ipfsUrl, hub, fromBlock } = options;
  if (!isUint256(fromBlock)) throw new UsageError('--from-block must be a block number.');
  const described =
    deployment === undefined ? undefined : await chainDestinationOf({ ...options, deployment }, terminal);
  const rpc = described?.rpcUrl ?? options.rpcUrl ?? terminal.environment.SERVICE_CLI_RPC_URL;
  const ipfs = ipfsUrl ?? described?.ipfsUrl;
  const hubAddress = described?.deployment.hubAddress ?? (hub === undefined ? undefined : parseAddress(hub));
  if (hub === undefined && hubAddress === undefined) throw new UsageError('Name the Hub with --hub.');
  if (hubAddress === undefined) throw new UsageError('--hub must be an address.');
  if (!rpc) throw new UsageError('Name your own RPC of the chain with --rpc-url.');
  if (!ipfs) throw new UsageError('Name an IPFS node that has the challenge with --ipfs-url.');
  requireHttp('--rpc-url', rpc);
  requireHttp('--ipfs-url', ipfs);
  return {
    rpcUrl: rpc,
    ipfsUrl: ipfs.replace(/\/+$/, ''),
    hubAddress: hubAddress as Address,
    fromBlock: BigInt(fromBlock),
  };
}

/** The canonical form of the record to compare with. */
async function givenRecord(path: string): Promise<string> {
  try {
    const value: unknown = JSON.parse(
      path === '-' ? await text(process.stdin) : await readFile(path, 'utf8'),
    );
    if (typeof value === 'object' && value !== null) return canonicalJson(value);
  } catch {
    // Told below.
  }
  throw new CommandError(`${path} holds no JSON record.`);
}

function difference(given: string, recomputed: string): string {
  const [left, right] = [given, recomputed].map((text) => JSON.parse(text) as Record<string, unknown>);
  const keys = [...new Set([...Object.keys(left!), ...Object.keys(right!)])].sort();
  const first = keys.find((key) => canonicalJson(left![key] ?? null) !== canonicalJson(right![key] ?? null));
  return `The records differ, first in ${first}: the chain and IPFS say otherwise.`;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] as string;
}
