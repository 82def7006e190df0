// The 2/3 count of the hub subgraph against a plain model.

import { sharedStack } from '../localStack.ts';
import { checkRandomVerdicts } from './verdictModel.ts';

describe('the tallies of the hub subgraph', () => {
  it('count random Verdicts like a plain model, after every block', async function () {
    this.timeout(60_000);
    await checkRandomVerdicts(await sharedStack(), 2);
  });
});
