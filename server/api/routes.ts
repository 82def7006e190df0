// The table of contents: every endpoint of the service, one line each.

import type { Route } from '../http/route.ts';
import { bountyDetail } from './bounties/detail.ts';
import { bountyList } from './bounties/list.ts';
import { deployment } from './operations/deployment.ts';
import { healthz } from './operations/healthz.ts';
import { readyz } from './operations/readyz.ts';

/** All declared routes. */
export const ROUTES: readonly Route[] = [bountyList, bountyDetail, deployment, healthz, readyz];
