/**
 * The local stack's readiness reviewer: rules behind the wire of an OpenAI-compatible chat endpoint with JSON-schema
 * output, so that the service speaks to it exactly as to a real provider. The challenge stands framed in the last user
 * message; what stands in it is reviewed, never obeyed.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { framedChallenge } from '../adapters/reviewer/challengeFrame.ts';
import { type LoopbackServer, type Reply, startLoopbackServer } from './loopbackServer.ts';
import { reviewChallenge } from './reviewRules.ts';

/** The model name that the local reviewer answers to. */
export const LOCAL_REVIEWER_MODEL = 'local-review-rules';

const MAX_PATH_CHARACTERS = 120;
const MAX_MESSAGE_CHARACTERS = 1_500;

interface ChatRequest {
  readonly model?: unknown;
  readonly messages?: readonly { readonly role?: unknown; readonly content?: unknown }[];
  readonly response_format?: { readonly type?: unknown };
}

/** Starts the reviewer: `POST <url>/v1/chat/completions` with `Authorization: Bearer <apiKey>`. */
export function startReviewer(apiKey: string, port?: number): Promise<LoopbackServer> {
  return startLoopbackServer((request, body) => {
    if (request.url?.split('?')[0] !== '/v1/chat/completions') return refusal(404, 'Unknown path.');
    if (request.method !== 'POST') return refusal(405, 'Only POST is possible here.');
    if (!sameText(request.headers.authorization ?? '', `Bearer ${apiKey}`))
      return refusal(401, 'Invalid API key.');
    return answer(body);
  }, port);
}

function answer(body: string): Reply {
  let chat: ChatRequest;
  try {
    chat = JSON.parse(body) as ChatRequest;
  } catch {
    return refusal(400, 'The body is not JSON.');
  }
  if (chat.model !== LOCAL_REVIEWER_MODEL) return refusal(404, 'The model does not exist.');
  if (chat.response_format?.type !== 'json_schema')
    return refusal(400, 'response_format must be json_schema.');
  const message = chat.messages?.findLast(({ role }) => role === 'user')?.content;
  const document = typeof message === 'string' ? framedChallenge(message) : undefined;
  if (document === undefined) return refusal(400, 'The last user message holds no challenge document.');

  const issues = reviewChallenge(document).map(({ path, message: text }) => ({
    path: path.slice(0, MAX_PATH_CHARACTERS),
    message: text.slice(0, MAX_MESSAGE_CHARACTERS),
  }));
  const content = JSON.stringify({ ready: issues.length === 0, issues });
  return {
    status: 200,
    body: {
      id: `chatcmpl-${createHash('sha256').update(document).digest('hex').slice(0, 24)}`,
      object: 'chat.completion',
      created: 0,
      model: LOCAL_REVIEWER_MODEL,
      choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    },
  };
}

function refusal(status: number, message: string): Reply {
  return { status, body: { error: { message, type: 'invalid_request_error' } } };
}

function sameText(given: string, due: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(due));
}
