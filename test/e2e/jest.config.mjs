// The end-to-end tests: three suites at a time, for most of them wait more than they work, each with a control plane of its own, with the transform of the other tests.
import { readFileSync } from 'node:fs';

const { jest } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

export default {
  ...jest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.PINION_E2E === 'full' ? [] : ['\\.full\\.test\\.ts$'])],
  globalSetup: '<rootDir>/test/e2e/global-setup.ts',
  testEnvironment: '<rootDir>/test/e2e/environment.ts',
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/e2e/longest-first.cjs',
  testTimeout: 60_000,
  verbose: true,
};
