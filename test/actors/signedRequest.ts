// Signing requests by hand, from the specification alone: a second way beside the SDK, so that neither can be wrong alone.

import { createPublicClient, type Hex, http } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { LocalStack } from '../../server/local/stack.ts';
import { approvalMessage, approvalTypedData } from '../../server/protocol/approval.ts';
import { encodeApprovalHeader } from '../../server/protocol/approvalHeader.ts';

/** A request before it is signed. */
export interface PlainRequest {
  readonly method: string;
  /** Path with query. */
  readonly target: string;
  readonly body?: Uint8Array | string | object;
  readonly contentType?: string;
}

/** An answer with its parsed body. */
export interface SignedAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any;
}

const LAG_BLOCKS = 3n;

/** Sends signed requests to one server of a stack. */
export function signerOf(stack: LocalStack, apiUrl: string) {
  const client = createPublicClient({ transport: http(stack.rpcUrl), cacheTime: 0 });
  const host = new URL(apiUrl).host;

  /** The Authorization header for a request, at a block three behind the tip. */
  const authorize = async (
    account: PrivateKeyAccount,
    request: PlainRequest,
    body: Uint8Array,
  ): Promise<string> => {
    const tip = await client.getBlockNumber();
    const { number, hash } = await client.getBlock({ blockNumber: tip > LAG_BLOCKS ? tip - LAG_BLOCKS : 0n });
    const block = { blockNumber: number, blockHash: hash };
    const message = approvalMessage({ method: request.method, rawTarget: request.target, host, body }, block);
    const signature = await account.signTypedData(approvalTypedData(stack, message));
    return encodeApprovalHeader({ address: account.address, signature, ...block });
  };

  return {
    authorize,
    /** Sign with a key and send; an object body goes as JSON. */
    async send(by: { readonly private_key: Hex }, request: PlainRequest): Promise<SignedAnswer> {
      const { body, bytes } = bodyOf(request);
      const type = request.contentType ?? (bytes.length > 0 ? 'application/json' : undefined);
      const response = await fetch(`${apiUrl}${request.target}`, {
        method: request.method,
        headers: {
          Authorization: await authorize(privateKeyToAccount(by.private_key), request, bytes),
          ...(type === undefined ? {} : { 'Content-Type': type }),
        },
        ...(body === undefined ? {} : { body: body as BodyInit }),
      });
      return answerOf(response);
    },
  };
}

/** Reads a response: JSON where it says so, bytes otherwise. */
export async function answerOf(response: Response): Promise<SignedAnswer> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const body = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : bytes;
  return { status: response.status, headers: response.headers, body };
}

function bodyOf({ body }: PlainRequest): { body: Uint8Array | undefined; bytes: Uint8Array } {
  if (body === undefined) return { body: undefined, bytes: new Uint8Array(0) };
  if (body instanceof Uint8Array) return { body, bytes: body };
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  return { body: bytes, bytes };
}
