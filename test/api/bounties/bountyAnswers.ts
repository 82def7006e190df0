// Asking a server for bounties, as any client does.

/** An answer with its parsed body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any;
}

/** GET a path of a server. */
export async function get(
  apiUrl: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${apiUrl}${path}`, { headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** Wait until a path answers with a status; returns that answer. */
export async function until(
  apiUrl: string,
  path: string,
  status: number,
  timeoutMs = 15_000,
): Promise<Answer> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await get(apiUrl, path);
    if (answer.status === status) return answer;
    if (performance.now() > deadline) {
      throw new Error(`${path} still answers ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
