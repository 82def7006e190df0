// The spec reporter, which also appends its counts to the file that TEST_COUNTS names, so that .ci/run can add them up.

const { appendFileSync } = require('node:fs');
const { reporters } = require('mocha');

module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      if (process.env.TEST_COUNTS)
        appendFileSync(process.env.TEST_COUNTS, `${passes} ${failures} ${pending}\n`);
    });
  }
};
