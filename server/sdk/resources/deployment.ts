// The deployment's own parameters, as the API states them (compared with the caller's before they are returned).

import { type DeploymentAnswer, deploymentAnswer } from '../answers/deployment.ts';
import { requireSameDeployment } from '../clientDeployment.ts';
import type { CallOptions, Connection } from '../connection.ts';
import { readJson } from '../readAnswer.ts';

/** The deployment's parameters. @throws UntrustedAnswerError when they are another deployment's */
export async function readDeployment(
  connection: Connection,
  options: CallOptions = {},
): Promise<DeploymentAnswer> {
  const response = await connection.get('/api/deployment', options);
  const answer = await readJson(response, deploymentAnswer, options.signal);
  requireSameDeployment(answer, connection.deployment);
  return answer;
}
