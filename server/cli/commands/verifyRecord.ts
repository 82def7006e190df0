// `service-cli verify-record <bounty_id>`: recomputes a bounty's VerificationRecord from the chain's logs and IPFS alone,
// and compares it with one that somebody else derived. Exit code 0 when they are the same bytes, 1 when not, 5 while there
// is no record yet.

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import type { Address } from 'viem';
import { parseAddress } from '../../protocol/accountAddress.ts';
import { canonicalJson } from '../../protocol/canonicalJson.ts';
import { isUint256 } from '../../protocol/shapeCheck.ts';
import { recomputeRecord } from '../../sdk/verifyRecord.ts';
import type { Terminal } from '../terminal.ts';

interface Options {
  readonly rpcUrl: string;
  readonly ipfsUrl: string;
  readonly hub: string;
  readonly fromBlock: string;
  readonly record?: string;
}

const LATER = 5;

/** The command; prints the record's canonical JSON on stdout. */
export function verifyRecordCommand(terminal: Terminal): Command {
  return new Command('verify-record')
    .description(
      "Recompute a bounty's VerificationRecord from the chain's logs and IPFS, without API and subgraph.",
    )
    .argument('<bounty_id>', 'decimal')
    .requiredOption('--rpc-url <url>', 'an RPC of the chain that you trust')
    .requiredOption('--ipfs-url <url>', "an IPFS node's RPC that has the challenge")
    .requiredOption('--hub <address>', 'the Hub')
    .option('--from-block <number>', 'the block that the Hub was deployed in', '0')
    .option('--record <file>', 'compare with this record (- for standard input)')
    .addHelpText(
      'after',
      '\nExample:\n  service-cli verify-record 7 --rpc-url http://127.0.0.1:8545 --ipfs-url http://127.0.0.1:5001 --hub 0x5FbD…',
    )
    .action(async (bountyId: string, options: Options, command: Command) => {
      const hubAddress = parseAddress(options.hub);
      if (!isUint256(bountyId)) command.error('The bounty id must be a decimal integer.', { exitCode: 2 });
      if (hubAddress === undefined) command.error('--hub must be an address.', { exitCode: 2 });
      if (!isUint256(options.fromBlock))
        command.error('--from-block must be a block number.', { exitCode: 2 });
      const origin = {
        rpcUrl: options.rpcUrl,
        ipfsUrl: options.ipfsUrl.replace(/\/+$/, ''),
        hubAddress: hubAddress as Address,
        bountyId: BigInt(bountyId),
        fromBlock: BigInt(options.fromBlock),
      };
      const result = await recomputeRecord(origin).catch((error: unknown) =>
        command.error(`Nothing could be recomputed: ${firstLine(error)}`, { exitCode: 1 }),
      );
      if ('unavailable' in result) command.error(result.unavailable, { exitCode: LATER });
      const recomputed = canonicalJson((result as { record: object }).record);
      terminal.out(`${recomputed}\n`);
      if (options.record === undefined) return;
      const given = await givenRecord(options.record, command);
      if (given !== recomputed) command.error(difference(given, recomputed), { exitCode: 1 });
      terminal.log('The record is the same, byte for byte.\n');
    });
}

/** The canonical form of the record to compare with. */
async function givenRecord(path: string, command: Command): Promise<string> {
  try {
    return canonicalJson(JSON.parse(path === '-' ? await text(process.stdin) : await readFile(path, 'utf8')));
  } catch {
    return command.error(`${path} holds no JSON record.`, { exitCode: 1 });
  }
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
