// The production process: configuration, services with their start-up checks, listening, a graceful stop.

import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createLog, type Logger } from './adapters/log.ts';
import { createMetrics } from './adapters/metrics.ts';
import { type Services, startServices } from './adapters/services.ts';
import { createApp } from './app.ts';
import { createApprovalVerifier } from './auth/approval.ts';
import { contractSignatureValidator } from './auth/contractSignature.ts';
import { loadRecovery } from './auth/ecdsa.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { createHttpServer } from './http/httpServer.ts';

const STOP_LIMIT_MS = 25_000;

const { values: flags } = parseArgs({
  options: {
    'check-config': { type: 'boolean', default: false },
    'accept-finality-reset': { type: 'boolean', default: false },
  },
});

try {
  const config = readConfig();
  if (flags['check-config']) process.stdout.write('The configuration is complete.\n');
  else await serve(config, createLog(config.logLevel));
} catch (error) {
  process.stderr.write(`${startFailure(error)}\n`);
  process.exitCode = 1;
}

async function serve(config: Config, log: Logger): Promise<void> {
  const metrics = createMetrics();
  const services = await startServices(config, log, metrics, flags['accept-finality-reset']);
  const { recover, native } = await loadRecovery();
  if (!native) log.warn('native secp256k1 did not load: signatures are recovered in JavaScript');
  const verifyApproval = createApprovalVerifier({
    ...config,
    chain: services.chain,
    recover,
    validateContract: contractSignatureValidator(services.chain),
  });
  const app = createApp(services, verifyApproval);
  const server = createHttpServer(app.callback());
  const servers = [await listen(server, config.port, config.listenAddress)];
  if (config.metricsPort !== undefined) {
    const metricsServer = createServer(async (_request, response) => {
      response.setHeader('Content-Type', metrics.registry.contentType).end(await metrics.registry.metrics());
    });
    servers.push(await listen(metricsServer, config.metricsPort, config.listenAddress));
  }
  log.info({ port: config.port, metricsPort: config.metricsPort }, 'listening');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void stop(servers, services, config.drainSeconds, log));
  }
}

function listen(server: Server, port: number, address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', () => reject(new Error(`PORT ${port} cannot be listened on at ${address}.`)));
    server.listen(port, address, () => resolve(server));
  });
}

/** Say so, take no new connection, let running requests finish within the limit, then end. */
async function stop(
  servers: readonly Server[],
  services: Services,
  drainSeconds: number,
  log: Logger,
): Promise<void> {
  log.info({ drainSeconds }, 'stopping');
  services.lifecycle.beginStop();
  const limit = setTimeout(() => {
    log.warn('requests still ran at the limit: ending them');
    for (const server of servers) server.closeAllConnections();
  }, STOP_LIMIT_MS);
  // Long enough for load balancers to read /readyz, and for idle connections to carry a last answer.
  await sleep(drainSeconds * 1_000);
  await Promise.all(
    servers.map((server) => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      return closed;
    }),
  );
  clearTimeout(limit);
  await services.stop();
  log.info('stopped');
}

function startFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  return `The service cannot start: ${error instanceof Error ? error.message : 'an unknown failure'}`;
}
