// Which deployment a client works for, said by the caller or the deployment table, never by the API
// (specification section 4: two deployments exist). The API's own word is only compared with it.

import type { Address } from 'viem';
import { APPROVAL_DOMAIN_NAME, APPROVAL_DOMAIN_VERSION } from '../protocol/approval.ts';
import type { Deployment } from '../protocol/deployments.ts';
import type { DrandNetwork } from '../protocol/drandNetwork.ts';
import type { DeploymentAnswer } from './answers/deployment.ts';
import { contradictions } from './untrustedAnswer.ts';

/** What identifies a deployment to a client. */
export interface ClientDeployment {
  readonly chainId: number;
  readonly hubAddress: Address;
  readonly drand: DrandNetwork;
}

/**
 * The deployment of the table, with the Hub that the caller names where the table holds none.
 *
 * @throws TypeError when neither names a Hub
 */
export function clientDeployment(deployment: Deployment, hubAddress?: Address): ClientDeployment {
  const hub = hubAddress ?? deployment.hubAddress;
  if (hub === undefined) throw new TypeError(`No Hub is published for ${deployment.name}: name its address.`);
  return { chainId: deployment.chainId, hubAddress: hub, drand: deployment.drand };
}

/** Refuses an API that stands for another deployment. @throws UntrustedAnswerError with every difference */
export function requireSameDeployment(
  answer: DeploymentAnswer,
  { chainId, hubAddress, drand }: ClientDeployment,
): void {
  const check = contradictions('This API stands for another deployment.');
  check.same('chain_id', answer.chain_id, chainId);
  check.same('hub_address', answer.hub_address, hubAddress);
  check.same('domain.name', answer.domain.name, APPROVAL_DOMAIN_NAME);
  check.same('domain.version', answer.domain.version, APPROVAL_DOMAIN_VERSION);
  check.same('domain.chain_id', answer.domain.chain_id, chainId);
  check.same('domain.verifying_contract', answer.domain.verifying_contract, hubAddress);
  check.same('drand.chain_hash', answer.drand.chain_hash, drand.chainHash);
  check.same('drand.public_key', answer.drand.public_key, drand.publicKey);
  check.same('drand.genesis', answer.drand.genesis, drand.genesisSeconds);
  check.same('drand.period', answer.drand.period, drand.periodSeconds);
  check.same('drand.scheme', answer.drand.scheme, drand.scheme);
  check.done();
}
