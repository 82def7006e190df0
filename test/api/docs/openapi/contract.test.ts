// Every operation of the served document, called with right and with mutated input, signed and unsigned: no status and no
// code that is not documented, every answer of the documented shape, and never a 500.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import fc from 'fast-check';
import type { LocalApiServer } from '../../../../server/local/apiServer.ts';
import type { LocalStack } from '../../../../server/local/stack.ts';
import { type Actors, actorsOn, type CreatedBounty } from '../../../actors/actors.ts';
import { clockOf } from '../../../actors/clock.ts';
import { sealByHand } from '../../../actors/handSealed.ts';
import { answerOf, type SignedAnswer, signerOf } from '../../../actors/signedRequest.ts';
import { submissionFlow } from '../../../actors/submissionFlow.ts';
import { sharedServer, sharedStack } from '../../../localStack.ts';
import { requestOf } from './requestOf.ts';

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters: readonly { name: string; in: 'path' | 'query'; schema: object }[];
  readonly requestBody?: { readonly content: Record<string, { schema: object }> };
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

const CALLS = 60;
const SEED = 20_261_120;

describe('the contract', function () {
  this.timeout(120_000);
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let bounty: CreatedBounty;
  let commitment: string;
  let paths: Record<string, Record<string, Operation>>;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  before(async () => {
    [stack, server] = await Promise.all([sharedStack(), sharedServer()]);
    actors = actorsOn(stack);
    const clock = clockOf(stack);
    bounty = await actors.createBounty();
    await clock.finalizeFor(server.url);
    const solver = actors.solvers[0]!;
    const sealed = await sealByHand(stack, bounty, solver.address, new TextEncoder().encode('contract'));
    await submissionFlow(stack, server.url, actors).submit(solver, bounty.bountyId, sealed);
    await clock.finalizeFor(server.url);
    commitment = sealed.submissionCommitment;
    ({ paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: typeof paths });
  });

  const expectDocumented = (
    { operationId, responses }: Operation,
    { status, headers, body }: SignedAnswer,
    sent: string,
  ) => {
    const where = `${operationId} ${status} ${sent} ${JSON.stringify(body).slice(0, 400)}`;
    expect(responses, where).to.have.property(String(status));
    expect(status, where).to.not.equal(500);
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    if (status === 304 || status === 204) return;
    const media = responses[String(status)]!.content?.[type];
    expect(media, `${where} as ${type}`).to.not.equal(undefined);
    if (type !== 'application/json') return;
    const accepts = ajv.compile(media!.schema);
    expect(accepts(body), `${where} ${JSON.stringify(accepts.errors)}`).to.equal(true);
  };

  it('holds for every operation', async () => {
    const signer = signerOf(stack, server.url);
    const seen = new Set<string>();
    const known = {
      bounty_id: String(bounty.bountyId),
      solver_address: actors.solvers[0]!.address,
      submission_commitment: commitment,
      report_commitment: commitment,
      poster_address: actors.poster.address,
      token: 'A'.repeat(43),
      page: 'authentication',
    };
    const people = [actors.poster, actors.solvers[0]!, actors.guardians[0]!, actors.stranger];
    for (const [path, methods] of Object.entries(paths))
      for (const [method, operation] of Object.entries(methods)) {
        await fc.assert(
          fc.asyncProperty(requestOf(path, operation, known), fc.nat({ max: 4 }), async (request, who) => {
            const person = people[who];
            const isSigned = operation.security.length > 0 && person !== undefined;
            const sent = `${method} ${request.target} ${String(request.body ?? '').slice(0, 200)}`;
            const plain = {
              method: method.toUpperCase(),
              target: request.target,
              ...(request.body === undefined ? {} : { body: request.body, contentType: request.contentType }),
            };
            const answer = isSigned
              ? await signer.send(person, plain)
              : await answerOf(
                  await fetch(server.url + plain.target, {
                    method: plain.method,
                    ...(request.body === undefined
                      ? {}
                      : { body: request.body, headers: { 'Content-Type': request.contentType } }),
                  }),
                );
            seen.add(`${operation.operationId} ${answer.status}`);
            expectDocumented(operation, answer, sent);
          }),
          {
            numRuns: operation.operationId === 'preparePublication' ? CALLS / 2 : CALLS,
            seed: SEED,
            endOnFailure: true,
          },
        );
      }
    // It would prove nothing if everything were refused for one reason.
    for (const reached of [
      'getBounty 200',
      'getBounty 404',
      'getBounty 400',
      'wrapDeliveryKey 403',
      'prepareSubmission 401',
    ])
      expect([...seen], reached).to.include(reached);
  });
});
