// `tsx server/local/deployHub.ts --rpc … --out …`: the Hub, the test token and a roster on a local chain that runs
// elsewhere, as docker-compose's `local` profile does it. Keys of the Guardians stay in `--out`; they are worth nothing.

import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { deployHub } from './hub.ts';
import { localAccounts } from './localAccounts.ts';
import { stackSecrets } from './stackSecrets.ts';

const text = { type: 'string' } as const;
const { rpc, out } = parseArgs({ options: { rpc: text, out: text } }).values;
if (!rpc || !out) throw new Error('Name --rpc and --out.');
mkdirSync(out, { recursive: true });
const { hubAddress, tokenAddress } = await deployHub(rpc, localAccounts(stackSecrets(out).guardianKeys));
console.log(`Hub ${hubAddress}\ntest token ${tokenAddress}`);
