// `service-cli admin audit|export|import`: for operators, straight on the storage: is every committed byte there, and a
// file that brings all of them back.

import { Command } from 'commander';
import type { Address } from 'viem';
import { openByteStore } from '../../adapters/byteStore.ts';
import { audit } from '../../admin/audit.ts';
import { readCommitted } from '../../admin/committed.ts';
import { exportBytes } from '../../admin/exportBytes.ts';
import { importBytes } from '../../admin/importBytes.ts';
import { parseAddress } from '../../protocol/accountAddress.ts';
import { isUint256 } from '../../protocol/shapeCheck.ts';
import { CommandError, EXIT, UsageError } from '../exitCode.ts';
import type { Terminal } from '../terminal.ts';

interface ChainOptions {
  readonly rpcUrl: string;
  readonly hub: string;
  readonly fromBlock: string;
  readonly ipfsUrl: string;
}

/** The command with its parts. */
export function adminCommand(terminal: Terminal): Command {
  return new Command('admin')
    .description("For operators: keep a deployment's committed bytes.")
    .addCommand(auditCommand(terminal))
    .addCommand(exportCommand(terminal))
    .addCommand(importCommand(terminal));
}

function auditCommand(terminal: Terminal): Command {
  return ofChain(new Command('audit'))
    .description(
      'Say which on-chain commitments are retrievable and hash, and whether the index has every log.',
    )
    .option('--subgraph-url <url>', 'compare with this hub subgraph')
    .addHelpText('after', example('audit', '--subgraph-url http://127.0.0.1:8000/subgraphs/name/bounty/hub'))
    .action(async (options: ChainOptions & { readonly subgraphUrl?: string }) => {
      const committed = await committedOf(options);
      const result = await audit(openByteStore(options.ipfsUrl), committed, options.subgraphUrl);
      terminal.out(`${JSON.stringify(result)}\n`);
      const bad = result.rows.filter(({ state }) => state === 'missing' || state === 'mismatch');
      for (const { kind, name, state } of bad) terminal.log(`${state} ${kind} ${name}\n`);
      if (!result.ok)
        throw new CommandError('Not every commitment can be served.', EXIT.failed, 'Import an export.');
    });
}

function exportCommand(terminal: Terminal): Command {
  return ofChain(new Command('export'))
    .description('Write every committed document, envelope and ciphertext into one CAR file.')
    .requiredOption('--out <file>', 'a new file')
    .addHelpText('after', example('export', '--out bytes.car'))
    .action(async (options: ChainOptions & { readonly out: string }) => {
      const committed = await committedOf(options);
      const exported = await exportBytes(openByteStore(options.ipfsUrl), committed, options.out);
      terminal.out(`${JSON.stringify(exported)}\n`);
    });
}

function importCommand(terminal: Terminal): Command {
  return new Command('import')
    .description('Bring an export back into an IPFS node; every byte is hashed on the way.')
    .argument('<file>', 'what export wrote')
    .requiredOption('--ipfs-url <url>', "the IPFS node's RPC")
    .addHelpText('after', '\nExample:\n  service-cli admin import bytes.car --ipfs-url http://127.0.0.1:5001')
    .action(async (file: string, { ipfsUrl }: { readonly ipfsUrl: string }) => {
      terminal.out(`${JSON.stringify(await importBytes(openByteStore(ipfsUrl), file))}\n`);
    });
}

function ofChain(command: Command): Command {
  return command
    .requiredOption('--rpc-url <url>', 'an RPC of the chain')
    .requiredOption('--hub <address>', 'the Hub')
    .option('--from-block <number>', 'the block that the Hub was deployed in', '0')
    .requiredOption('--ipfs-url <url>', "the IPFS node's RPC");
}

function committedOf({ rpcUrl, hub, fromBlock }: ChainOptions) {
  const hubAddress = parseAddress(hub);
  if (hubAddress === undefined) throw new UsageError('--hub must be an address.');
  if (!isUint256(fromBlock)) throw new UsageError('--from-block must be a block number.');
  return readCommitted({ rpcUrl, hubAddress: hubAddress as Address, fromBlock: BigInt(fromBlock) });
}

function example(command: string, more: string): string {
  const common = '--rpc-url http://127.0.0.1:8545 --hub 0x5FbD… --ipfs-url http://127.0.0.1:5001';
  return `\nExample:\n  service-cli admin ${command} ${common} ${more}`;
}
