// The IPFS node as a process of its own, for runs in which it is killed: `main.ts --data-dir <folder> [--port <number>]`.
// Prints its URL as one line on stdout when it listens; SIGTERM and SIGINT end it.

import { parseArgs } from 'node:util';
import { startIpfsNode } from './startIpfsNode.ts';

const { values } = parseArgs({ options: { 'data-dir': { type: 'string' }, port: { type: 'string' } } });
if (values['data-dir'] === undefined) {
  process.stderr.write('--data-dir is required.\n');
  process.exit(2);
}
const node = await startIpfsNode({ dataDir: values['data-dir'], port: Number(values.port ?? 0) });
process.stdout.write(`${node.url}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    node.stop().then(() => process.exit(0));
  });
}
