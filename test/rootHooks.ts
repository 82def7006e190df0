// What happens once around the whole mocha run: nothing before, and afterwards every stack that a test started is ended.

import type { RootHookObject } from 'mocha';
import { stopStacks } from './localStack.ts';

export const mochaHooks: RootHookObject = {
  async afterAll(this: Mocha.Context) {
    this.timeout(30_000);
    await stopStacks();
  },
};
