// Everything that handlers work with, started together and stopped together.

import type { Config } from '../config.ts';
import { freshnessWindowBlocks } from '../protocol/freshness.ts';
import { type AnswerCache, createAnswerCache } from './answerCache.ts';
import { type ByteStore, openByteStore } from './byteStore.ts';
import { type Chain, startChainFollower } from './chain.ts';
import { type DeliveryKeys, deliveryKeys } from './deliveryKeys.ts';
import { createDocumentReader, type DocumentReader } from './documentReader.ts';
import { ciphertextOffers, type OfferCiphertext } from './downloads.ts';
import { type DownloadTokens, downloadTokens } from './downloadTokens.ts';
import type { FactSources } from './hubIndex/bounty.ts';
import { checkIndex } from './hubIndex/checkIndex.ts';
import { type HubIndex, startHubIndex } from './hubIndex.ts';
import { type Lifecycle, startLifecycle } from './lifecycle.ts';
import type { Logger } from './log.ts';
import { type Metrics, showHeights } from './metrics.ts';
import { createReviewer, type Reviewer } from './reviewer.ts';
import { type DeliveryWraps, deliveryWraps } from './state/deliveryWraps.ts';
import { finalizedBlockStore } from './state/finalizedBlock.ts';
import { retentionRecords } from './state/retention.ts';
import { type ReviewLedger, reviewLedger } from './state/reviewLedger.ts';
import { type Uploads, uploadRecords } from './state/uploads.ts';
import { type VerificationRecords, verificationRecords } from './state/verificationRecords.ts';
import { type Database, openDatabase } from './state.ts';
import { type Sweep, startSweep } from './sweep.ts';
import { type Tokens, tokensOn } from './token.ts';

/** The neighbours and what is kept of them. */
export interface Services {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  readonly chain: Chain;
  readonly hubIndex: HubIndex;
  /** Chain and index together, as reading facts takes them. */
  readonly facts: FactSources;
  readonly database: Database;
  readonly byteStore: ByteStore;
  readonly documents: DocumentReader;
  readonly answers: AnswerCache;
  readonly tokens: Tokens;
  readonly reviewer: Reviewer;
  readonly reviewLedger: ReviewLedger;
  readonly uploads: Uploads;
  readonly sweep: Sweep;
  readonly downloads: DownloadTokens;
  readonly offerCiphertext: OfferCiphertext;
  readonly deliveryKeys: DeliveryKeys;
  readonly deliveryWraps: DeliveryWraps;
  readonly verificationRecords: VerificationRecords;
  stop(): Promise<void>;
}

/**
 * Start every adapter, checking that each neighbour is the one that the configuration means.
 *
 * @param acceptFinalityReset The operator's word that an older or other chain is meant
 * @throws Error in one line that says which neighbour is wrong
 */
export async function startServices(
  config: Config,
  log: Logger,
  metrics: Metrics,
  acceptFinalityReset: boolean,
): Promise<Services> {
  const { chainId, hubAddress, blockTimeSeconds } = config;
  const database = await openDatabase(config.databaseUrl);
  try {
    const chain = await startChainFollower({
      rpcUrls: config.rpcUrls,
      chainId,
      hubAddress,
      blockTimeSeconds,
      freshnessWindowBlocks: Number(freshnessWindowBlocks(blockTimeSeconds)),
      acceptFinalityReset,
      store: await finalizedBlockStore(database, chainId, hubAddress, acceptFinalityReset),
      events: {
        lowerAnswer: () => metrics.finalityLowerAnswers.inc(),
        violation: (reason) => {
          metrics.finalityViolations.inc();
          log.fatal({ reason }, 'finality violated: the service answers no chain facts any more');
        },
        notSaved: (err) => log.warn({ err }, 'the finalized block could not be saved'),
        disagreement: () => {
          metrics.rpcDisagreements.inc();
          log.error('the RPCs disagree on a settled block: no chain facts are answered until they agree');
        },
        pollFailed: (err) => {
          metrics.rpcPollFailures.inc();
          log.warn({ err }, 'polling the chain failed');
        },
      },
    });
    const index = { url: config.subgraphUrl, deploymentId: config.subgraphDeploymentId };
    await checkIndex({ ...index, hubAddress, chain, log }).catch((error: unknown) => {
      chain.stop();
      throw error;
    });
    const hubIndex = await startHubIndex({
      ...index,
      chain,
      blockTimeSeconds,
      maxIndexLagSeconds: config.maxIndexLagSeconds,
      reorgThresholdBlocks: config.reorgThresholdBlocks,
    });
    showHeights(metrics, {
      head: () => chain.report().head?.number,
      finalized: () => chain.report().finalized?.number,
      index: hubIndex.reached,
    });
    const byteStore = openByteStore(config.ipfsApiUrl);
    const reviewer = createReviewer(config.reviewer);
    const downloads = downloadTokens(config.urlSigningKey, config);
    const nowSeconds = (): number => Math.floor(Date.now() / 1000);
    const facts = { hubIndex, chain, blockTimeSeconds };
    const retention = retentionRecords(database);
    const { retentionSeconds } = config.uploads;
    const sweep = startSweep({ facts, byteStore, retention, retentionSeconds, log });
    return {
      config,
      log,
      metrics,
      lifecycle: startLifecycle(),
      chain,
      hubIndex,
      facts,
      sweep,
      database,
      byteStore,
      documents: createDocumentReader(byteStore),
      answers: createAnswerCache(),
      tokens: tokensOn(chain, chainId),
      reviewer,
      reviewLedger: reviewLedger(database, config.reviewer),
      uploads: uploadRecords(database, config.uploads),
      downloads,
      offerCiphertext: ciphertextOffers(byteStore, downloads, config.publicUrl, nowSeconds),
      deliveryKeys: deliveryKeys(config.delivery.privateKey, config.delivery.previousKeys),
      deliveryWraps: deliveryWraps(database),
      verificationRecords: verificationRecords(database),
      async stop() {
        sweep.stop();
        chain.stop();
        hubIndex.stop();
        // Before the database: a review that is ended gives its slot back.
        await reviewer.stop();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
