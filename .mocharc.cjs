// The default tests. `TEST_LANE` names one of two halves that take about as long as each other (test/lanes.mjs).

const WAITING = ['api', 'faults', 'http', 'subgraph'];
const half = `test/{${WAITING.join(',')}}/**/*.test.ts`;
const lanes = {
  waiting: { spec: [half], ignore: [] },
  rest: { spec: ['test/**/*.test.ts'], ignore: [half] },
};
const { spec, ignore } = lanes[process.env.TEST_LANE] ?? { spec: ['test/**/*.test.ts'], ignore: [] };

module.exports = {
  'node-option': ['import=tsx'],
  spec,
  ignore: ['test/**/*.long.test.ts', ...ignore],
  timeout: 30_000,
  slow: 1_000,
  require: ['test/rootHooks.ts'],
  reporter: 'test/reporter.cjs',
};
