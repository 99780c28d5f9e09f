// End-to-end tests: three suites run at a time, because most of them wait more than they work. Each has its own control plane.
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
