// The table of contents: every endpoint of the service, one line each.

import type { Route } from '../http/route.ts';
import { bountyDetail } from './bounties/detail.ts';
import { bountyList } from './bounties/list.ts';
import { deliveryKey } from './delivery/deliveryKey.ts';
import { retrieve } from './delivery/retrieve.ts';
import { deliveryStatus } from './delivery/status.ts';
import { wrap } from './delivery/wrap.ts';
import { docsRoutes } from './docs/docsRoutes.ts';
import { deployment } from './operations/deployment.ts';
import { healthz } from './operations/healthz.ts';
import { readyz } from './operations/readyz.ts';
import { preparePublication } from './publication/preparePublication.ts';
import { submissionContent } from './submissions/content.ts';
import { download } from './submissions/download.ts';
import { prepareSubmission } from './submissions/prepare.ts';
import { upload } from './submissions/upload.ts';
import { uploadUrl } from './submissions/uploadUrl.ts';
import { publishWrittenVerdict } from './verdicts/publishWrittenVerdict.ts';
import { readWrittenVerdict } from './verdicts/readWrittenVerdict.ts';

const DECLARED: readonly Route[] = [
  bountyList,
  bountyDetail,
  preparePublication,
  uploadUrl,
  upload,
  prepareSubmission,
  submissionContent,
  download,
  publishWrittenVerdict,
  readWrittenVerdict,
  deliveryKey,
  wrap,
  deliveryStatus,
  retrieve,
  deployment,
  healthz,
  readyz,
];

/** All declared routes, and those that describe them. */
export const ROUTES: readonly Route[] = [...DECLARED, ...docsRoutes(DECLARED)];
