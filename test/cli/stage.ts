// The CLI in the hands of somebody on the local stack: one run with captured streams, and files as its user has them.

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../server/cli/program.ts';
import type { LocalStack } from '../../server/local/stack.ts';

/** What one run printed, and its exit code. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly log: string;
}

/** Runs the CLI in this process. */
export async function cli(
  args: readonly string[],
  { environment = {}, answers }: { environment?: Record<string, string>; answers?: readonly string[] } = {},
): Promise<Ran> {
  let [out, log] = ['', ''];
  const left = [...(answers ?? [])];
  const code = await run(args, {
    out: (text) => {
      out += text;
    },
    log: (text) => {
      log += text;
    },
    isInteractive: answers !== undefined,
    environment,
    ask: async (question) => {
      log += question;
      return left.shift() ?? '';
    },
  });
  return { code, out, log };
}

/** Files of a user: the deployment, and one key file for each person. */
export async function userFiles(stack: LocalStack, apiUrl: string) {
  const folder = await mkdtemp(join(tmpdir(), 'cli-'));
  const secret = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text, { mode: 0o600 });
    return path;
  };
  const { drand, rpcUrl, ipfsUrl, chainId, hubAddress } = stack;
  const described = {
    api_url: apiUrl,
    rpc_url: rpcUrl,
    ipfs_url: ipfsUrl,
    chain_id: chainId,
    hub_address: hubAddress,
    drand: { url: drand.url },
  };
  return { folder, secret, deployment: await secret('deployment.json', JSON.stringify(described)) };
}
