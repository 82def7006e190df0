// A storage that is down, hangs, breaks off or answers nonsense is unavailable: never "missing", never half the bytes,
// never a wait without end. A real HTTP server plays each fault on the wire.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { type ByteStore, openByteStore } from '../../../server/adapters/byteStore.ts';
import { commitmentOf } from '../../../server/protocol/commitment.ts';
import { ServiceError } from '../../../server/protocol/errors.ts';
import { LIMITS } from '../../../server/protocol/limits.ts';
import { described, gathered, pieces } from './content.ts';

const SILENCE_MS = 150;
const ENVELOPE = new TextEncoder().encode('{}');
const COMMITMENT = commitmentOf(ENVELOPE);
const SIZE = 200_000;

type Fault = (request: IncomingMessage, response: ServerResponse) => void;

describe('byte store and a failing node', () => {
  let servers: Server[] = [];
  let package_: Awaited<ReturnType<typeof described>>;
  before(async () => {
    package_ = await described(SIZE);
  });
  const closeAll = (): void => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    servers = [];
  };
  afterEach(closeAll);

  const storeWith = async (fault: Fault): Promise<ByteStore> => {
    const listening = createServer(fault);
    servers.push(listening);
    await new Promise<void>((resolve) => {
      listening.listen(0, '127.0.0.1', resolve);
    });
    return openByteStore(`http://127.0.0.1:${(listening.address() as AddressInfo).port}`, {
      silenceMs: SILENCE_MS,
    });
  };

  const operations = (store: ByteStore): Record<string, () => Promise<unknown>> => ({
    health: () => store.health(),
    putDocument: () => store.putDocument(ENVELOPE),
    getDocument: () => store.getDocument(COMMITMENT),
    putEnvelope: () => store.putEnvelope('1', COMMITMENT, ENVELOPE),
    getEnvelope: () => store.getEnvelope('1', COMMITMENT),
    removeEnvelope: () => store.removeEnvelope('1', COMMITMENT),
    listEnvelopes: async () => {
      for await (const _ of store.listEnvelopes());
    },
    putCiphertext: () => store.putCiphertext(package_.locator, pieces(SIZE), package_.expected),
    statCiphertext: () => store.statCiphertext(package_.locator),
    readCiphertext: () => gathered(store.readCiphertext(package_.locator)),
    removeCiphertext: () => store.removeCiphertext(package_.locator),
    listCiphertexts: async () => {
      for await (const _ of store.listCiphertexts());
    },
    collectGarbage: () => store.collectGarbage(),
  });

  const expectUnavailable = async (store: ByteStore, without: readonly string[] = []): Promise<void> => {
    const tried = Object.entries(operations(store)).filter(([name]) => !without.includes(name));
    const failures = await Promise.all(
      tried.map(async ([name, operation]) => {
        const failure = await operation().then(
          () => undefined,
          (error: unknown) => error,
        );
        return [name, failure] as const;
      }),
    );
    for (const [name, failure] of failures) {
      expect(failure, name).to.be.instanceOf(ServiceError);
      expect((failure as ServiceError).code, name).to.equal('storage_unavailable');
      expect((failure as ServiceError).message, name).to.not.match(/127\.0\.0\.1|ECONN|fetch/);
      expect((failure as ServiceError).details.cause, name).to.be.instanceOf(Error);
    }
  };

  it('is unavailable when nothing listens', async () => {
    const store = await storeWith(() => {});
    closeAll();
    await expectUnavailable(store);
  });

  it('is unavailable when it resets connections', async () => {
    await expectUnavailable(await storeWith((request) => request.socket.resetAndDestroy()));
  });

  // A collection and an upload are given a minute and more, the health check two seconds.
  it('is unavailable when it never answers', async () => {
    await expectUnavailable(await storeWith(() => {}), ['health', 'collectGarbage', 'putCiphertext']);
  });

  it('is unavailable when it stops half-way through an answer', async () => {
    const store = await storeWith((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"Ha');
    });
    await expectUnavailable(store, ['health', 'collectGarbage', 'putCiphertext']);
  });

  it('is unavailable when it answers pages of a proxy', async () => {
    const page = '<html>ipld: could not find, file does not exist</html>';
    // The bytes of a document are judged by their hash, whatever their form.
    const raw = ['getDocument', 'getEnvelope'];
    await expectUnavailable(
      await storeWith((request, response) => {
        request.resume();
        response.writeHead(502, { 'content-type': 'text/html' }).end(page);
      }),
    );
    await expectUnavailable(
      await storeWith((request, response) => {
        request.resume();
        response.writeHead(500, { 'content-type': 'text/html' }).end(page);
      }),
    );
    // The page as 200 is an answer to what has no answer of its own to check: unlinking.
    await expectUnavailable(
      await storeWith((request, response) => {
        request.resume();
        response.writeHead(200, { 'content-type': 'text/html' }).end(page);
      }),
      [...raw, 'removeEnvelope', 'removeCiphertext'],
    );
  });

  it('says mismatch for bytes that do not hash, and cuts off what never ends', async () => {
    let sent = 0;
    const store = await storeWith((_request, response) => {
      const piece = Buffer.alloc(16_384);
      const pump = (): void => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
        if (!response.destroyed) response.once('drain', pump);
      };
      pump();
    });
    expect(await store.getDocument(COMMITMENT)).to.deep.equal({ state: 'mismatch' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const before = sent;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sent).to.equal(before);
    expect(sent).to.be.lessThan(LIMITS.documentBytes + 16 * 1024 * 1024);
  });

  it('is unavailable when a ciphertext ends early or runs on, although the answer looks whole', async () => {
    for (const length of [SIZE - 1, SIZE + 1]) {
      const store = await storeWith((request, response) => {
        request.resume();
        if (request.url?.includes('/files/stat')) {
          const Hash = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku';
          const stat = { Hash, Size: SIZE, CumulativeSize: SIZE, Blocks: 1, Type: 'file' };
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(stat));
        } else {
          response.end(Buffer.alloc(length));
        }
      });
      const failure = await gathered(store.readCiphertext(package_.locator)).catch((error: unknown) => error);
      expect((failure as ServiceError).code).to.equal('storage_unavailable');
    }
  });

  it('gives a slow reader all the time, for only the node is timed', async () => {
    const store = await storeWith((request, response) => {
      request.resume();
      if (request.url?.includes('/files/stat')) {
        const Hash = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku';
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ Hash, Size: SIZE, CumulativeSize: SIZE, Blocks: 1, Type: 'file' }));
      } else {
        response.end(Buffer.alloc(SIZE));
      }
    });
    let received = 0;
    for await (const chunk of store.readCiphertext(package_.locator)) {
      if (received === 0) await new Promise((resolve) => setTimeout(resolve, 2 * SILENCE_MS));
      received += chunk.length;
    }
    expect(received).to.equal(SIZE);
  });
});
