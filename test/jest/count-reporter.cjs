const { mkdirSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

/** Counts tests and the assertions that they executed; the counts of each suite go to build/test-count.json. */
module.exports = class CountReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    const suites = testResults.map(({ testFilePath, testResults: tests }) => ({
      suite: testFilePath.slice(this.rootDir.length + 1),
      tests: tests.length,
      skipped: tests.filter(({ status }) => status === 'pending').length,
      assertions: tests.reduce((sum, { numPassingAsserts }) => sum + numPassingAsserts, 0),
    }));
    const sum = (key) => suites.reduce((total, suite) => total + suite[key], 0);
    const file = join(this.rootDir, 'build', 'test-count.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      `${JSON.stringify(
        suites.sort((a, b) => (a.suite < b.suite ? -1 : 1)),
        undefined,
        2,
      )}\n`,
    );
    console.log(
      `${suites.length} suites, ${sum('tests')} tests (${sum('skipped')} skipped), ${sum('assertions')} assertions`,
    );
  }
};
