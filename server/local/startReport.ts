// What `npm start` says once everything is ready: one line of JSON for programs, a summary for people. The keys in it
// are throw-away keys of a local chain; the service's own secrets and the database's passwords are never printed.

import type { LocalApiServer } from './apiServer.ts';
import type { LocalStack } from './stack.ts';

/** What has been started; no server with `--no-api`. */
export interface StartReport {
  readonly stack: LocalStack;
  readonly server: LocalApiServer | undefined;
}

/** The line of `npm start -- --json`, without its newline. */
export function startJson({ stack, server }: StartReport): string {
  const { drand } = stack;
  return JSON.stringify({
    api_url: server?.url ?? null,
    subgraph_url: stack.subgraphUrl,
    documents_url: stack.documentsUrl,
    rpc_url: stack.rpcUrl,
    ipfs_url: stack.ipfsUrl,
    chain_id: stack.chainId,
    hub_address: stack.hubAddress,
    token_address: stack.tokenAddress,
    accounts: stack.accounts,
    metrics_url: server?.metricsUrl ?? null,
    drand: {
      url: drand.url,
      chain_hash: drand.chainHash,
      public_key: drand.publicKey,
      genesis: drand.genesis,
      period: drand.period,
      scheme: drand.scheme,
    },
  });
}

/** The summary for people, with addresses and without keys. */
export function startSummary({ stack, server }: StartReport): string {
  const { poster, solvers, guardians } = stack.accounts;
  const rows: [string, string][] = [
    ['API', server?.url ?? 'not started'],
    ['hub subgraph', stack.subgraphUrl],
    ['documents subgraph', stack.documentsUrl],
    ['chain RPC', `${stack.rpcUrl} (chain id ${stack.chainId})`],
    ['IPFS RPC', stack.ipfsUrl],
    ['drand beacon', stack.drand.url],
    ['Hub', stack.hubAddress],
    ['test token', stack.tokenAddress],
    ['Poster', poster.address],
    ...solvers.map(({ address }, index): [string, string] => [`Solver ${index + 1}`, address]),
    ...guardians.map(({ name, address }): [string, string] => [`Guardian ${name}`, address]),
  ];
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  const lines = rows.map(([label, value]) => `  ${label.padEnd(width)}${value}`);
  return `\nEverything runs. Ctrl-C stops it; --json prints the accounts' private keys too.\n\n${lines.join('\n')}\n`;
}
