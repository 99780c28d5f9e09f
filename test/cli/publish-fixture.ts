import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type Io } from '../../lib/cli/io/io';
import { commit, published } from '../artifact/artifact-fixture';
import { writeFiles, pinion, service } from './terminal';

// Files are flushed, which is slow on test machines.
jest.setTimeout(60_000);

/** Image of the published service. */
export const image = `registry.example.com/app:2@sha256:${'b'.repeat(64)}`;

/** Returns a workflow with one service as YAML. */
export const workflow = (more = '', workloads = 'files: [apps]') => `apiVersion: pinterest.com/v1
kind: Workflow
metadata: {name: web, namespace: shop}
spec:
  workloads: {${workloads}}
  properties:
    image: {type: image, substitutions: [{workload: cart, fieldPath: 'spec.template.spec.containers[app].image'}]}
  stages: [{name: production, targets: [prod-1]}]
${more}`;

/** Returns input and output with these environment variables, at the time of publication. */
export const environment = (variables: Record<string, string> = {}): Pick<Io, 'system'> => ({
  system: {
    environment: { PATH: process.env['PATH'], ...variables },
    clock: { now: () => Date.parse(published), after: () => () => undefined, random: () => 0 },
  },
});

/** Environment variables of a Jenkins job. */
export const jenkins = {
  JENKINS_URL: 'https://jenkins.example.com/',
  GIT_URL: 'https://robot:secret@git.example.com/commerce/shop.git',
  BRANCH_NAME: 'main',
  GIT_COMMIT: commit,
  BUILD_URL: 'https://jenkins.example.com/job/shop/7/',
};

/** Private key in `ci.pem`, set before each test. */
export let signingKey: KeyObject;
beforeEach(() => {
  signingKey = generateKeyPairSync('ed25519').privateKey;
  writeFiles({
    'web.workflow.yaml': workflow(),
    'apps/cart.yaml': service('cart'),
    'ci.pem': signingKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  });
});

/** Runs `pinion publish` with the workflow and the key, by default as a Jenkins job. */
export const publish = (argv: readonly string[], variables: Record<string, string> = jenkins) =>
  pinion(['publish', 'web.workflow.yaml', '--key', 'ci.pem', ...argv], '', environment(variables));

/** Runs `pinion artifact`. */
export const artifact = (...argv: string[]) => pinion(['artifact', ...argv], '', environment());
