// The same as tally.test.ts, with more sequences.

import { sharedStack } from '../localStack.ts';
import { checkRandomVerdicts } from './verdictModel.ts';

describe('the tallies of the hub subgraph, at length', () => {
  it('count random Verdicts like a plain model, after every block', async function () {
    this.timeout(300_000);
    await checkRandomVerdicts(await sharedStack(), 30);
  });
});
