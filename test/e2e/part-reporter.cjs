const { mkdirSync, readFileSync, renameSync, writeFileSync, existsSync } = require('node:fs');
const { dirname, relative } = require('node:path');

/** Reads the parts that passed, by name: seconds and number of skipped tests. */
const readParts = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

/** Records each suite as a part as soon as it passes, so that a run that stops continues from there; options of reporters cannot be given on the command line. */
module.exports = class PartReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
    this.file = process.env.PINION_PARTS_FILE;
    this.group = process.env.PINION_PARTS_GROUP;
  }

  onTestFileResult({ path }, { perfStats, numFailingTests, numPendingTests, skipped, testExecError }) {
    if (numFailingTests > 0 || testExecError || skipped) return;
    const part = `${this.group}: ${relative(this.rootDir, path)}`;
    const seconds = Math.round((perfStats.end - perfStats.start) / 1000);
    const parts = { ...readParts(this.file), [part]: { seconds, skippedTests: numPendingTests } };
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(`${this.file}.draft`, JSON.stringify(parts, undefined, 2));
    renameSync(`${this.file}.draft`, this.file);
  }
};
module.exports.readParts = readParts;
