// What a server on the open internet is sent: odd framing, repeated headers, wrong methods, large and slow requests. Each
// is answered in the error shape of the service or cut off, and the next request is none the worse.

import { connect } from 'node:net';
import { expect } from 'chai';
import { type LocalApiServer, startApiServer } from '../../server/local/apiServer.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { type RawAnswer, requestText, sendRaw } from '../auth/rawRequest.ts';
import { sharedServer, sharedStack } from '../localStack.ts';

const TOKEN = 'A'.repeat(43);

describe('the HTTP boundary', () => {
  let stack: LocalStack;
  let server: LocalApiServer;
  let host: string;

  before(async function () {
    this.timeout(60_000);
    [stack, server] = await Promise.all([sharedStack(), sharedServer()]);
    host = new URL(server.url).host;
  });

  const send = (method: string, target: string, headers: readonly string[] = [], body = '') =>
    sendRaw(
      server.url,
      requestText(method, target, [`Host: ${host}`, 'Connection: close', ...headers], body),
    );

  const expectCode = ({ status, body }: RawAnswer, wanted: number, code: string): void => {
    expect([status, body.error?.code], JSON.stringify(body)).to.deep.equal([wanted, code]);
    expect(Object.keys(body.error)).to.have.members(['code', 'message', 'issues', 'next_action']);
  };

  it('carries security headers, CORS and a request id of its own', async () => {
    const { status, headers } = await send('GET', '/healthz', ['X-Request-Id: mine']);
    expect(status).to.equal(200);
    expect(headers['x-content-type-options']).to.equal('nosniff');
    expect(headers['content-security-policy']).to.contain("default-src 'none'");
    expect(headers['access-control-allow-origin']).to.equal('*');
    expect(headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
  });

  it('answers HEAD like GET without a body', async () => {
    const { status, headers, body } = await send('HEAD', '/api/deployment');
    expect([status, body]).to.deep.equal([200, '']);
    expect(Number(headers['content-length'])).to.be.greaterThan(100);
  });

  it('answers preflights, and 405 with what is allowed', async () => {
    const preflight = await send('OPTIONS', '/api/bounties/1/delivery/wrap', ['Origin: https://app.example']);
    expect([preflight.status, preflight.headers['access-control-allow-methods']]).to.deep.equal([
      204,
      'POST, OPTIONS',
    ]);
    const wrong = await send('DELETE', '/api/bounties/1');
    expectCode(wrong, 405, 'method_not_allowed');
    expect(wrong.headers.allow).to.equal('HEAD, GET, OPTIONS');
    expectCode(await send('OPTIONS', '/nothing/here'), 404, 'not_found');
  });

  it('wants exactly one Host', async () => {
    const none = await sendRaw(server.url, requestText('GET', '/healthz', ['Connection: close']));
    expectCode(none, 400, 'invalid_request');
    expectCode(await send('GET', '/healthz', ['Host: other.example']), 400, 'invalid_request');
  });

  it('refuses framing that two servers would read in two ways', async () => {
    const attempts = [
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      ['Content-Length: 5', 'Content-Length: 6'],
      ['Transfer-Encoding: chunked, identity'],
      ['Content-Length: +5'],
      ['Transfer-Encoding : chunked'],
    ];
    for (const headers of attempts) {
      const answer = await send('POST', '/api/bounties/1/delivery/wrap', headers, '0\r\n\r\n');
      expectCode(answer, 400, 'invalid_request');
    }
    const garbage = await sendRaw(server.url, 'GARBAGE\r\n\r\n');
    expectCode(garbage, 400, 'invalid_request');
  });

  it('refuses headers beyond its bound', async () => {
    expectCode(await send('GET', '/healthz', [`X-Large: ${'x'.repeat(70_000)}`]), 400, 'invalid_request');
  });

  it('refuses bodies where none belong, other types, encodings and sizes, before anything is signed for', async () => {
    const wrap = '/api/bounties/1/delivery/wrap';
    expectCode(await send('GET', '/healthz', ['Content-Length: 5'], 'hello'), 413, 'payload_too_large');
    expectCode(await send('GET', '/healthz', ['Content-Encoding: gzip']), 415, 'unsupported_media_type');
    const json = 'Content-Type: application/json';
    expectCode(await send('POST', wrap, ['Content-Length: 2'], '{}'), 415, 'unsupported_media_type');
    expectCode(
      await send('POST', wrap, ['Content-Type: text/plain', 'Content-Length: 2'], '{}'),
      415,
      'unsupported_media_type',
    );
    expectCode(
      await send('POST', wrap, [`${json}; charset=latin1`, 'Content-Length: 2'], '{}'),
      415,
      'unsupported_media_type',
    );
    expectCode(
      await send('POST', wrap, [json, 'Content-Encoding: br', 'Content-Length: 2'], '{}'),
      415,
      'unsupported_media_type',
    );
    expectCode(await send('POST', wrap, [json, 'Content-Length: 99999999'], '{}'), 413, 'payload_too_large');
    const chunk = `${(20_000).toString(16)}\r\n${' '.repeat(20_000)}\r\n0\r\n\r\n`;
    expectCode(
      await send('POST', wrap, [json, 'Transfer-Encoding: chunked'], chunk),
      413,
      'payload_too_large',
    );
    expectCode(
      await send('POST', wrap, [json, 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'),
      401,
      'unauthorized',
    );
  });

  it('tells path and query faults before it asks who it is', async () => {
    const answer = await send('GET', '/api/bounties/01/submissions/0x12/content?x=1');
    expectCode(answer, 400, 'invalid_solver_submission');
    expect(answer.body.error.issues.map((issue: { path: string }) => issue.path)).to.have.members([
      'bounty_id',
      'submission_commitment',
      'x',
    ]);
  });

  it('knows nothing of made-up tokens', async () => {
    expectCode(await send('GET', `/api/downloads/${TOKEN}`), 404, 'not_found');
    const headers = ['Content-Type: application/octet-stream', 'Content-Length: 3'];
    expectCode(await send('PUT', `/api/uploads/${TOKEN}`, headers, 'abc'), 404, 'not_found');
    expectCode(await send('PUT', '/api/uploads/short', headers, 'abc'), 400, 'invalid_solver_submission');
  });

  it('goes on after broken connections', async () => {
    for (const text of [
      'GET /healthz HT',
      requestText('POST', '/api/bounties/1/delivery/wrap', [`Host: ${host}`, 'Content-Length: 100'], '{'),
    ]) {
      await new Promise<void>((resolve) => {
        const { hostname, port } = new URL(server.url);
        const socket = connect(Number(port), hostname, () => {
          socket.write(text);
          setTimeout(() => socket.destroy(), 50);
        });
        socket.on('close', () => resolve());
        socket.on('error', () => {});
      });
    }
    expect((await send('GET', '/healthz')).status).to.equal(200);
  });

  it('cuts slow headers off', async function () {
    this.timeout(30_000);
    const { hostname, port } = new URL(server.url);
    const began = performance.now();
    const text = await new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(Number(port), hostname, () => socket.write('GET /healthz HTTP/1.1\r\n'));
      const drip = setInterval(() => socket.write('X-Slow: y\r\n'), 500);
      socket.on('data', (data) => {
        received += data.toString();
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(drip);
        resolve(received);
      });
    });
    expect(performance.now() - began).to.be.lessThan(15_000);
    expect(text).to.contain('408');
    expect(text).to.contain('request_timeout');
  });

  it('limits requests that cost a neighbour something, each client on its own', async function () {
    this.timeout(40_000);
    const limited = await startApiServer(
      stack.serverEnvironment({ RATE_PER_ADDRESS: '5', TRUSTED_PROXIES: '127.0.0.1' }),
      { watch: stack.watch },
    );
    try {
      const status = async (client: string, id: number) => {
        const headers = { 'X-Forwarded-For': `9.9.9.9, ${client}` };
        const response = await fetch(`${limited.url}/api/bounties/${900_000 + id}`, { headers });
        return { code: response.status, retryAfter: Number(response.headers.get('retry-after')) };
      };
      const first = await Promise.all([1, 2, 3, 4, 5].map((id) => status('10.0.0.1', id)));
      expect(first.map(({ code }) => code)).to.deep.equal([404, 404, 404, 404, 404]);
      const beyond = await status('10.0.0.1', 6);
      expect(beyond.code).to.equal(429);
      expect(beyond.retryAfter).to.be.within(1, 60);
      expect((await status('10.0.0.2', 7)).code).to.equal(404);
      expect(
        (await fetch(`${limited.url}/healthz`, { headers: { 'X-Forwarded-For': '10.0.0.1' } })).status,
      ).to.equal(200);
    } finally {
      await limited.stop();
    }
  });
});
