// Asking the read models directly, as an analyst does.

/** One GraphQL query; throws with graph-node's own words when it refuses. */
// biome-ignore lint/suspicious/noExplicitAny: each query has a shape of its own.
export async function ask(url: string, query: string): Promise<any> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown };
  if (errors !== undefined) throw new Error(`GraphQL: ${JSON.stringify(errors)}`);
  return data;
}
