import { expect } from 'chai';
import type { Address } from 'viem';
import { shapeCheck } from '../../server/protocol/shapeCheck.ts';
import {
  contextIssues,
  submissionContext,
  submissionContextSchema,
} from '../../server/protocol/submissionContext.ts';

const PLACE = {
  chainId: 8453,
  hubAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3' as Address,
  bountyId: 2n ** 70n,
  solverAddress: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A' as Address,
  specCommitment: `0x${'AB'.repeat(32)}` as const,
};

describe('submissionContext', () => {
  it('has one written form, which is of its own shape', () => {
    const context = submissionContext(PLACE);
    expect(context).to.deep.equal({
      chain_id: 8453,
      hub_address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
      bounty_id: '1180591620717411303424',
      solver_address: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
      spec_commitment: `0x${'ab'.repeat(32)}`,
    });
    expect(shapeCheck(submissionContextSchema)(context)).to.deep.equal([]);
    expect(contextIssues(context, PLACE)).to.deep.equal([]);
  });

  it('needs addresses', () => {
    expect(() => submissionContext({ ...PLACE, hubAddress: '0x1' })).to.throw(TypeError, 'addresses');
    expect(() => submissionContext({ ...PLACE, solverAddress: '0x1' })).to.throw(TypeError, 'addresses');
  });

  it('names every field that differs', () => {
    const stranger = submissionContext({
      chainId: 1,
      hubAddress: PLACE.solverAddress,
      bountyId: 1n,
      solverAddress: PLACE.hubAddress,
      specCommitment: `0x${'00'.repeat(32)}`,
    });
    expect(contextIssues(stranger, PLACE).map(({ path }) => path)).to.deep.equal([
      '/context/chain_id',
      '/context/hub_address',
      '/context/bounty_id',
      '/context/solver_address',
      '/context/spec_commitment',
    ]);
  });
});
