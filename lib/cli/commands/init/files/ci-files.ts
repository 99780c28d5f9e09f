import { type CiSystem } from '../project-choices';

/** Commands of the pipeline, in order; each fails if something is wrong. */
const commands = ['npm ci', 'npm run compile', 'npm run check', 'npm test', 'npm run synth'];

const github = `name: Workloads

on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read

jobs:
  workloads:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0
        with:
          node-version: 24
          cache: npm
${commands.map((command) => `      - run: ${command}\n`).join('')}`;

const gitlab = `workloads:
  image: docker.io/library/node:24-bookworm-slim
  timeout: 15 minutes
  cache:
    key:
      files: [package-lock.json]
    paths: [.npm/]
  variables:
    npm_config_cache: $CI_PROJECT_DIR/.npm
  script:
${commands.map((command) => `    - ${command}\n`).join('')}  artifacts:
    paths: [dist/]
`;

/** Returns the pipeline of a CI system, by path. */
export const ciFiles = (ci: CiSystem): Readonly<Record<string, string>> =>
  ci === 'github' ? { '.github/workflows/workloads.yml': github } : ci === 'gitlab' ? { '.gitlab-ci.yml': gitlab } : {};
