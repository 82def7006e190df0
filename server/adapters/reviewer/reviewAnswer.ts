// Reading a chat completion as a review. What is no completion is the provider's failure; a completion that holds no
// whole review is an answer that cannot be validated. Neither says anything about the challenge.

import { ServiceError } from '../../protocol/errors.ts';
import { isReview, type Review } from './reviewShape.ts';

interface Choice {
  readonly finish_reason?: unknown;
  readonly message: { readonly content?: unknown; readonly refusal?: unknown };
}

/** How long to wait before the provider is asked again, in seconds. */
export const PROVIDER_RETRY_SECONDS = 30;

/** @throws ServiceError 502 `orchestrator_provider_error`, 500 `invalid_orchestrator_output` */
export function readReview(text: string): Review {
  const { finish_reason, message } = choiceIn(parse(text));
  if (finish_reason !== 'stop') throw invalid('The completion is not whole.');
  if (message.refusal) throw invalid('The model refused.');
  const review = typeof message.content === 'string' ? parse(message.content) : undefined;
  if (!isReview(review)) throw invalid('The completion holds no review.');
  return review;
}

function choiceIn(completion: unknown): Choice {
  const choices = isObject(completion) ? completion.choices : undefined;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (isObject(choice) && isObject(choice.message)) return choice as unknown as Choice;
  throw new ServiceError('orchestrator_provider_error', {
    retryAfterSeconds: PROVIDER_RETRY_SECONDS,
    cause: new Error('The provider sent no completion.'),
  });
}

// The cause names what was wrong and never quotes the answer: it may hold the whole challenge.
function invalid(reason: string): ServiceError {
  return new ServiceError('invalid_orchestrator_output', { cause: new Error(reason) });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
