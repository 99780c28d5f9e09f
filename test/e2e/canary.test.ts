import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ManifestInput } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { canaryKinds, type CanaryDeployer, createSubmissionDeployer } from '../../lib/operations';
import { canarySandbox } from '../../lib/programs';
import { FolderBlobStore, publicKeyText } from '../../lib/artifact';
import { waitFor } from '../control-plane/wait-for';
import { realClock } from '../kube/real-clock';
import { CanaryRunner } from '../operations/canary-runner';
import { CanaryTestbed, caseSummaries } from '../operations/canary-testbed';
import { Publishing } from '../submission/publishing';
import { SubmissionTestbed } from '../submission/submission-testbed';
import { type SubmissionProcess } from '../local/submission-process';
import { quickFaults, testFaults } from './canary-faults';
import { describePinion } from './pinion-suite';

/** Kinds whose Jobs cannot be updated without the controller. */
const jobKinds: readonly string[] = ['PinterestJobSet', 'PinterestTrainingJob'];
const uncheckedSteps = 'not checked: dns registered';

/** Key of the submission service, without which a protected stage accepts nothing. */
const deploymentKey = generateKeyPairSync('ed25519').privateKey;
/** Stages own clusters by the name that the submission service has for them. */
const platform: ManifestInput<'Platform'> = {
  ...defaultPlatform,
  spec: { ...defaultPlatform.spec, cluster: 'main', deploymentKeys: [publicKeyText(deploymentKey)] },
};

describePinion(
  'canary on a cluster',
  (pinion) => {
    // Separate hooks, which finish before the cluster stops.
    describe('with all deployment paths', () => {
      let testbed: CanaryTestbed;
      let submission: SubmissionTestbed;
      let service: SubmissionProcess;
      let deployerOf: (key: string) => CanaryDeployer;
      let deployer: CanaryDeployer;

      beforeAll(async () => {
        submission = await SubmissionTestbed.make(pinion());
        const { publishing, folder } = submission;
        testbed = await CanaryTestbed.create(pinion(), {
          submission: {
            url: 'https://deploy.example.com',
            artifactStore: '/artifacts',
            target: 'main',
            publisher: publishing.publisher,
          },
        });
        const token = await testbed.tokenFor('pinion-submission');
        const issuers = [claimsOf(token).iss];
        const deploymentKeyFile = join(folder, 'deployment-key');
        writeFileSync(deploymentKeyFile, deploymentKey.export({ type: 'pkcs8', format: 'pem' }));
        const identity = { serviceAccounts: { issuers } };
        service = await submission.start('submission', { deploymentKeyFile, identity });
        await service.waitUntilLogged('leading');
        const tokenFile = join(mkdtempSync(join(folder, 'canary-')), 'token');
        writeFileSync(tokenFile, token);
        const { issuer: publisher, repository, ref } = publishing.publisher;
        const url = await service.url();
        const settings = {
          url,
          tokenFile,
          store: publishing.folder,
          issuer: publisher,
          repository,
          ref: ref ?? '',
          target: 'main',
        };
        const objects = new FolderBlobStore(publishing.folder);
        deployerOf = (key) => createSubmissionDeployer({ ...settings, key }, objects, canarySandbox, realClock, fetch);
        deployer = deployerOf(publishing.privateKey);
      }, 240_000);
      afterAll(async () => {
        await submission.stop();
        testbed.close();
      });

      test('runs every kind through the controller and leaves nothing behind', async () => {
        expect(caseSummaries(await testbed.run({ deploymentPaths: ['controller'] }))).toEqual(
          canaryKinds.map((kind) => `${kind} controller passed: ${stepsDone(kind)}`),
        );
        expect(await testbed.leftovers()).toEqual([]);
      }, 300_000);

      test('runs every kind as native objects without the controller', async () => {
        expect(caseSummaries(await testbed.run({ deploymentPaths: ['synth'] }))).toEqual(
          canaryKinds.map((kind) => `${kind} synth passed: ${stepsDone(kind, jobKinds.includes(kind))}`),
        );
        expect(await testbed.leftovers()).toEqual([]);
      }, 300_000);

      test('publishes, deploys, changes and rolls back every kind through the submission service', async () => {
        const run = await testbed.run({ deploymentPaths: ['submission'], submission: deployer });
        expect(caseSummaries(run)).toEqual(canaryKinds.map((kind) => `${kind} submission passed: ${stepsDone(kind)}`));
        expect(await testbed.leftovers()).toEqual([]);
      }, 300_000);

      test('skips an unconfigured deployment path with a reason and does not count it as passed', async () => {
        const run = await testbed.run({ deploymentPaths: ['submission'], kinds: ['PinterestService'] });
        expect(caseSummaries(run)).toEqual([
          'PinterestService submission skipped: no submission service is configured',
        ]);
      });

      testFaults(quickFaults, () => ({ pinion: pinion(), testbed }));

      test('reports an artifact that is signed with an untrusted key', async () => {
        const { stages } = await testbed.stagesOfSandbox();
        await testbed.changeStages(
          stages.map((stage) => ({ ...stage, publishers: [submission.publishing.publisher] })),
        );
        const untrusted = deployerOf(new Publishing(submission.publishing.folder).privateKey);
        const { cases } = await testbed.run(
          { kinds: ['PinterestCronJob'], deploymentPaths: ['submission'], submission: untrusted },
          { image: 'registry.example.com/pinion/canary:2.0.0' },
        );
        expect(caseSummaries({ cases })).toEqual([
          expect.stringMatching(
            /^PinterestCronJob submission failed: create: artifacts: the submission service does not trust/,
          ),
        ]);
        await testbed.changeStages(stages);
      }, 120_000);

      test('reports an unavailable submission service', async () => {
        await service.kill();
        const { cases } = await testbed.run({
          kinds: ['PinterestCronJob'],
          deploymentPaths: ['submission'],
          submission: deployer,
        });
        expect(caseSummaries({ cases })).toEqual([
          expect.stringMatching(
            /^PinterestCronJob submission failed: create: submission: the submission service does not respond/,
          ),
        ]);
      }, 120_000);

      test('removes the leftovers of a killed run and reports it', async () => {
        const first = CanaryRunner.start(testbed, { CANARY_DEPLOYMENT_PATHS: 'controller,synth' });
        await waitFor('workloads of the run', async () => (await testbed.leftovers()).length >= 8, { timeout: 60_000 });
        await first.kill();
        expect((await testbed.leftovers()).length).toBeGreaterThan(0);
        const second = CanaryRunner.start(testbed, {
          CANARY_KINDS: 'PinterestCronJob',
          CANARY_DEPLOYMENT_PATHS: 'controller',
        });
        expect([await second.ended, second.errors()]).toEqual([0, []]);
        const { runs } = await testbed.report();
        expect(runs).toHaveLength(1);
        expect(runs[0]?.swept).toBeGreaterThan(0);
        expect(await testbed.leftovers()).toEqual([]);
      }, 300_000);
    });
  },
  { documents: [platform, defaultProfile] },
);

/** Steps of a kind on a cluster without DNS and registrar. */
function stepsDone(kind: string, isImmutable = false): string {
  const change = isImmutable ? '' : ' change rollback';
  if (kind === 'PinterestService')
    return `create ready environment ingress quota-refusal${change} delete; ${uncheckedSteps}`;
  if (kind === 'PinterestStatefulSet') return `create ready environment${change} delete; ${uncheckedSteps}`;
  return `create ready environment${change} delete`;
}

const claimsOf = (token: string): { readonly iss: string } =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as { iss: string };
