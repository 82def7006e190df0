// Assembles Koa from the declared routes: errors outermost, strict paths, then one line per route.

import Router from '@koa/router';
import Koa from 'koa';
import type { Services } from './adapters/services.ts';
import { ROUTES } from './api/routes.ts';
import type { VerifyApproval } from './auth/approval.ts';
import { clientAddressReader } from './http/clientAddress.ts';
import { answering, endpoint, type Pipeline, strictPaths } from './http/pipeline.ts';
import { createRateLimits } from './http/rateLimits.ts';

/** The application, ready for a server's `request` event. */
export function createApp(services: Services, verifyApproval: VerifyApproval): Koa {
  const { config, log, metrics } = services;
  const rates = createRateLimits(config.rates, () => performance.now() / 1000);
  const readAddress = clientAddressReader(config.trustedProxies);
  const pipeline: Pipeline = {
    log,
    metrics,
    walker: { services, verifyApproval, rates },
    clientAddress: ({ req }) => readAddress(req),
  };

  const router = new Router({ sensitive: true, strict: true });
  for (const route of ROUTES) {
    // @koa/router answers HEAD wherever GET is registered.
    router.register(
      route.route.replaceAll(/\{([a-z_]+)\}/g, ':$1'),
      [route.method],
      endpoint(route, pipeline),
    );
  }
  const methodsOf = (pathname: string): readonly string[] => [
    ...new Set(router.match(pathname, '').path.flatMap((layer) => layer.methods)),
  ];

  const app = new Koa();
  app.use(answering(pipeline)).use(strictPaths(methodsOf)).use(router.routes());
  // Everything is answered above; what still arrives here is a socket that broke while it was written to.
  app.on('error', (err) => log.debug({ err }, 'the connection broke'));
  return app;
}
