// How many events the `hub` subgraph holds at a block: each list is paged through to its end, for graph-node cuts lists.

const PAGE = 1_000;
const LISTS = {
  BountyCreated: 'bounties',
  SubmissionRecorded: 'submissionRevisions',
  VerdictRecorded: 'verdictRevisions',
  settled: 'settlements',
} as const;

/** Counts by event at one block. @throws Error with the index's own words */
export async function indexedCounts(url: string, block: number): Promise<Record<keyof typeof LISTS, number>> {
  const counts = Object.entries(LISTS).map(
    async ([event, list]) => [event, await countOf(url, list, block)] as const,
  );
  return Object.fromEntries(await Promise.all(counts)) as Record<keyof typeof LISTS, number>;
}

async function countOf(url: string, list: string, block: number): Promise<number> {
  let count = 0;
  let after: string | undefined;
  for (;;) {
    const where = after === undefined ? '' : `, where: {id_gt: ${JSON.stringify(after)}}`;
    const query = `{ rows: ${list}(first: ${PAGE}, orderBy: id, block: {number: ${block}}${where}) { id } }`;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = (await response.json()) as {
      data?: { rows: { id: string }[] };
      errors?: { message: string }[];
    };
    if (errors || !data)
      throw new Error(`The index does not answer: ${errors?.[0]?.message ?? response.status}`);
    count += data.rows.length;
    if (data.rows.length < PAGE) return count;
    after = data.rows.at(-1)!.id;
  }
}
