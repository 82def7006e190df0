// Step 4 of the verification: who may call a signed route, as a named rule that returns the pinned facts it read.

import type { Address } from 'viem';
import type { Snapshot } from '../adapters/hubIndex.ts';
import type { Services } from '../adapters/services.ts';

/** Who may call a signed route: step 4 of the verification, with the pinned facts it read. */
export interface Policy<Path, Query, Body, Facts> {
  /** The rule in one sentence, for OpenAPI and the documentation. */
  readonly rule: string;
  /** True where the bounty is named only in the body, which is then parsed before the facts are read. */
  readonly readsBody?: boolean;
  check(request: PolicyRequest<Path, Query, Body>, services: Services): Promise<Facts>;
}

/** What a policy is handed. */
export interface PolicyRequest<Path, Query, Body> {
  readonly signer: Address;
  readonly path: Path;
  readonly query: Query;
  /** Only where the policy `readsBody`. */
  readonly body: Body;
  /** The one point of the request to read facts at; 503 while there is none. */
  readonly snapshot: () => Promise<Snapshot>;
}
