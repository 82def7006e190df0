// The readiness reviewer: any OpenAI-compatible chat endpoint with JSON-schema output. The challenge's text is data for
// it and never instructions; its answer is believed only when it has the right shape. The key stays in one header.

import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '../protocol/errors.ts';
import { PROVIDER_RETRY_SECONDS, readReview } from './reviewer/reviewAnswer.ts';
import { reviewRequest } from './reviewer/reviewRequest.ts';
import type { Review } from './reviewer/reviewShape.ts';

/** Reviews challenges. */
export interface Reviewer {
  /** False where no provider is configured. */
  readonly configured: boolean;
  /**
   * What the provider finds; `ready` exactly when there are no issues.
   *
   * @throws ServiceError 500 `invalid_orchestrator_output`, 502 `orchestrator_provider_error`, 503
   *   `orchestrator_unconfigured`
   */
  review(challenge: string): Promise<Review>;
  /** End every exchange that is under way as a failure of the provider; resolves once its caller has heard of it. */
  stop(): Promise<void>;
}

/** How the provider is reached. */
export interface ReviewerOptions {
  /** The API's root without a slash at its end, version included: requests go to `{url}/chat/completions`. */
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  readonly model: string | undefined;
  /** For the whole exchange, its last byte included. */
  readonly timeoutSeconds: number;
}

/** 100 issues of 1,620 characters, six bytes each in JSON within JSON, are far below. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** The reviewer of a deployment; nothing is asked yet. */
export function createReviewer({ url, apiKey, model, timeoutSeconds }: ReviewerOptions): Reviewer {
  if (url === undefined || apiKey === undefined || model === undefined) {
    return {
      configured: false,
      review: () => Promise.reject(new ServiceError('orchestrator_unconfigured')),
      stop: () => Promise.resolve(),
    };
  }
  const underWay = new Set<AbortController>();
  return {
    configured: true,
    async review(challenge) {
      const body = reviewRequest(model, challenge, randomBytes(16).toString('hex'));
      const control = new AbortController();
      const late = new Error(`The provider did not finish within ${timeoutSeconds} s.`);
      const timer = setTimeout(() => control.abort(late), timeoutSeconds * 1_000);
      underWay.add(control);
      try {
        return readReview(await ask(`${url}/chat/completions`, apiKey, body, control.signal));
      } finally {
        clearTimeout(timer);
        underWay.delete(control);
      }
    },
    async stop() {
      for (const control of underWay) control.abort(new Error('The service stops.'));
      // The callers' own work on the failure begins before whatever is stopped next.
      while (underWay.size > 0) await setImmediate();
      await setImmediate();
    },
  };
}

/** The provider's answer as text, bounded in size. @throws ServiceError 502 */
async function ask(endpoint: string, apiKey: string, body: string, signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` },
      body,
      // A redirect would carry the key and the challenge to another host.
      redirect: 'error',
      signal,
    });
    if (response.ok) return await boundedText(response);
    await response.body?.cancel();
    throw new Error(`The provider answered ${response.status}.`);
  } catch (cause) {
    throw new ServiceError('orchestrator_provider_error', {
      retryAfterSeconds: PROVIDER_RETRY_SECONDS,
      cause,
    });
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new Error('The provider sent more than a review can have.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
