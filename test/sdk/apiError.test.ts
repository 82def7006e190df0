// The error of an answer, whatever its bytes are.

import { expect } from 'chai';
import { apiErrorOf } from '../../server/sdk/apiError.ts';

const answer = (body: string, status = 400, headers: Record<string, string> = {}) =>
  apiErrorOf(new Response(body, { status, headers }));

describe('apiErrorOf', () => {
  it('reads every field of the service’s own shape', async () => {
    const error = await answer(
      JSON.stringify({
        error: {
          code: 'publication_review_limit_reached',
          message: 'used up',
          issues: [{ path: '/a', message: 'wrong' }],
          next_action: 'wait',
          retry_not_before: '2026-01-01T00:00:00.000Z',
        },
      }),
      429,
      { 'Retry-After': '12' },
    );
    expect(error).to.deep.include({
      status: 429,
      code: 'publication_review_limit_reached',
      message: 'used up',
      issues: [{ path: '/a', message: 'wrong' }],
      nextAction: 'wait',
      retryNotBefore: '2026-01-01T00:00:00.000Z',
      retryAfterSeconds: 12,
      retryable: true,
    });
  });

  const garbage = [
    '',
    'null',
    '[]',
    '{}',
    '{"error":null}',
    '{"error":"gone"}',
    '{"error":{"code":7,"message":"x"}}',
    '<html>502</html>',
    '{"error":{"code":"x"',
  ];
  for (const body of garbage) {
    it(`calls ${JSON.stringify(body)} malformed, and shows none of it`, async () => {
      const error = await answer(body, 500);
      expect([error.code, error.status, error.retryable]).to.deep.equal(['malformed_answer', 500, false]);
      if (body !== '') expect(error.message).to.not.contain(body);
    });
  }

  it('drops issues that are none', async () => {
    const error = await answer(
      '{"error":{"code":"a","message":"b","issues":[null,7,{"path":1,"message":"x"},{"path":"p","message":"m"}]}}',
    );
    expect(error.issues).to.deep.equal([{ path: 'p', message: 'm' }]);
  });

  it('reads only so much of an endless body', async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(64 * 1024));
      },
    });
    const error = await apiErrorOf(new Response(endless, { status: 503 }));
    expect([error.code, error.retryable]).to.deep.equal(['malformed_answer', true]);
    expect(pulled).to.be.lessThan(10);
  });

  const retryable: [status: number, code: string, is: boolean][] = [
    [400, 'invalid_solver_submission', false],
    [401, 'unauthorized', false],
    [403, 'forbidden', false],
    [408, 'request_timeout', true],
    [409, 'publication_review_unavailable', false],
    [429, 'rate_limited', true],
    [500, 'internal_error', false],
    [500, 'invalid_orchestrator_output', true],
    [502, 'orchestrator_provider_error', true],
    [503, 'storage_unavailable', true],
  ];
  for (const [status, code, is] of retryable) {
    it(`says that ${code} ${is ? 'may' : 'need not'} be tried again`, async () => {
      const error = await answer(JSON.stringify({ error: { code, message: 'm' } }), status);
      expect([error.code, error.retryable]).to.deep.equal([code, is]);
    });
  }
});
