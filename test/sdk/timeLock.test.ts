// The time lock against the local beacon and against tlock's own library: nothing opens early, or with a forged beacon.

import { armor } from 'age-encryption';
import { expect } from 'chai';
import { HttpCachingChain, HttpChainClient, timelockEncrypt } from 'tlock-js';
import { type LocalDrandBeacon, startDrandBeacon } from '../../server/local/drandBeacon.ts';
import { drandChain } from '../../server/local/drandChain.ts';
import { startLoopbackServer } from '../../server/local/loopbackServer.ts';
import { parseAgeHeader } from '../../server/protocol/ageHeader.ts';
import { roundTime } from '../../server/protocol/reveal.ts';
import { lockToRound, unlock } from '../../server/sdk/timeLock.ts';
import { TimeLockError } from '../../server/sdk/timeLockError.ts';
import { failureOf } from './failureOf.ts';
import { deployment, startClockedBeacon } from './sealing.ts';

const network = deployment.drand;
const ROUND = 1_000;
const DEAD = 'http://127.0.0.1:1';
const SECRET = new TextEncoder().encode('not before its time');

describe('the time lock', () => {
  let beacon: LocalDrandBeacon & { now: number };
  let file: Uint8Array;

  before(async () => {
    beacon = await startClockedBeacon();
    file = await lockToRound(SECRET, { network, round: ROUND });
  });
  beforeEach(() => {
    beacon.now = roundTime(ROUND, network);
  });
  after(() => beacon.stop());

  const opened = (drandUrls: string[], lock = { network, round: ROUND }, bytes = file) =>
    unlock(bytes, lock, { drandUrls });
  const reason = async (work: Promise<unknown>) => (await failureOf(work, TimeLockError)).reason;

  it('writes one tlock stanza for the round and the chain', () => {
    const header = parseAgeHeader(file);
    if ('problem' in header) throw new Error(header.problem);
    expect(header.stanzas).to.have.length(1);
    expect(header.stanzas[0]).to.deep.include({ type: 'tlock', args: [String(ROUND), network.chainHash] });
  });

  it('opens at its round and not a second before', async () => {
    beacon.now -= 1;
    expect(await reason(opened([beacon.url]))).to.equal('too_early');
    beacon.now += 1;
    expect(await opened([beacon.url])).to.deep.equal(SECRET);
  });

  it('asks the next relay when one is away, and tells an outage from a round to come', async () => {
    expect(await opened([DEAD, beacon.url])).to.deep.equal(SECRET);
    const away = await failureOf(opened([DEAD]), TimeLockError);
    expect([away.reason, away.retryable]).to.deep.equal(['unreachable', true]);
    expect(await reason(opened([]))).to.equal('unreachable');
    beacon.now = roundTime(1, network);
    expect(await reason(opened([DEAD, beacon.url]))).to.equal('too_early');
  });

  it('tells a relay that does not serve the chain from a round to come', async () => {
    const elsewhere = await startDrandBeacon(async () => beacon.now, drandChain('another chain'));
    try {
      expect(await reason(opened([elsewhere.url]))).to.equal('unreachable');
      expect(await opened([elsewhere.url, beacon.url])).to.deep.equal(SECRET);
    } finally {
      await elsewhere.stop();
    }
    // Older relays say 404, not 425, to a round of their own chain that has not come.
    const older = await startLoopbackServer(async ({ url }) => ({
      status: url?.endsWith('/info') ? 200 : 404,
      body: {},
    }));
    try {
      expect(await reason(opened([older.url]))).to.equal('too_early');
    } finally {
      await older.stop();
    }
  });

  it('calls a relay that is no URL a mistake of the caller, never a wrong lock', async () => {
    for (const url of ['relay', 'ftp://127.0.0.1', '']) {
      const mistake = await failureOf(opened([beacon.url, url]), TypeError);
      expect(mistake.message).to.contain('drand relay');
    }
  });

  it('passes on what the caller stops it with', async () => {
    const stopped = unlock(
      file,
      { network, round: ROUND },
      { drandUrls: [beacon.url], signal: AbortSignal.abort(new RangeError('enough')) },
    );
    expect((await failureOf(stopped, RangeError)).message).to.equal('enough');
  });

  it('believes no beacon that the chain did not sign', async () => {
    const other = drandChain('somebody else').sign(ROUND);
    const wrong = drandChain().sign(ROUND - 1);
    for (const body of [other, { ...wrong, round: ROUND }, wrong, { round: ROUND }, 'junk', null]) {
      const liar = await startLoopbackServer(async () => ({ status: 200, body: body as object }));
      try {
        const failed = await failureOf(opened([liar.url]), TimeLockError);
        expect([failed.reason, failed.retryable]).to.deep.equal(['forged_beacon', false]);
        expect(await opened([liar.url, beacon.url])).to.deep.equal(SECRET);
      } finally {
        await liar.stop();
      }
    }
  });

  it('refuses a lock to another round or chain, changed bytes, and other schemes', async () => {
    expect(await reason(opened([beacon.url], { network, round: ROUND - 1 }))).to.equal('wrong_lock');
    const foreign = { ...network, chainHash: 'ab'.repeat(32) };
    const theirs = await lockToRound(SECRET, { network: foreign, round: ROUND });
    expect(await reason(opened([beacon.url], undefined, theirs))).to.equal('wrong_lock');
    const changed = file.slice();
    changed[changed.length - 1]! ^= 1;
    expect(await reason(opened([beacon.url], undefined, changed))).to.equal('wrong_lock');
    expect(await reason(opened([beacon.url], undefined, file.slice(0, 30)))).to.equal('wrong_lock');
    const chained = { ...network, scheme: 'pedersen-bls-chained' };
    expect(await reason(lockToRound(SECRET, { network: chained, round: ROUND }))).to.equal(
      'unsupported_scheme',
    );
  });

  it('opens what tlock’s own library locked', async () => {
    const options = {
      disableBeaconVerification: false,
      noCache: true,
      chainVerificationParams: { chainHash: network.chainHash, publicKey: network.publicKey },
    };
    const chain = new HttpCachingChain(`${beacon.url}/${network.chainHash}`, options);
    const armored = await timelockEncrypt(ROUND, Buffer.from(SECRET), new HttpChainClient(chain, options));
    expect(await opened([beacon.url], undefined, armor.decode(armored))).to.deep.equal(SECRET);
  });
});
