// The OpenAPI 3.1 document of the declared routes. Nothing in it is written by hand that a declaration already says.

import type { Route } from '../../../http/route.ts';
import { SERVICE_VERSION } from '../../../version.ts';
import { operationOf, SECURITY_SCHEME } from './operation.ts';

const ABOUT =
  'Stores the bytes of scientific bounties, validates their shape and gates access by the finalized state of the Hub ' +
  'contract. It never moves money and never decides an outcome. Every error has `code`, `message`, `issues` and ' +
  '`next_action`; program against `code`.';

const APPROVAL = {
  type: 'http',
  scheme: 'Service-Approval',
  description:
    '`Authorization: Service-Approval <base64>`: an EIP-712 signature over exactly this request (method, audience, path, query, body) ' +
    'and a recent block. /raw/authentication says how it is made.',
};

const TAGS: Readonly<Record<string, string>> = {
  Bounties: 'Finalized bounties, their challenges and VerificationRecords.',
  Publication: 'A Poster publishes a challenge.',
  Submissions: 'A Solver submits sealed work; the Poster and pinned Guardians read it.',
  'Written Verdicts': 'Guardians publish the documents that their on-chain Verdicts commit to.',
  Delivery: 'The winning work reaches the funding Poster.',
  Deployment: 'What this deployment is.',
  Documentation: 'These pages, for people and programs.',
  Operations: 'Health and readiness.',
};

/**
 * The document.
 *
 * @param serverUrl The base address that clients use; absent in the committed copy
 */
export function openApiDocument(routes: readonly Route[], serverUrl?: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.route] = { ...paths[route.route], [route.method.toLowerCase()]: operationOf(route) };
  }
  const used = [...new Set(routes.map(({ tag }) => tag))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bounty Settlement Service',
      version: SERVICE_VERSION,
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl ?? '/' }],
    tags: used.map((name) => ({ name, description: TAGS[name] ?? name })),
    paths,
    components: { securitySchemes: { [SECURITY_SCHEME]: APPROVAL } },
  };
}
