import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { type ManifestInput } from '../../lib/api';
import { publicKeyText } from '../../lib/artifact';
import { readDocuments } from '../../lib/yaml';
import { type SubmissionProcess } from '../local/submission-process';
import { SubmissionTestbed } from '../submission/submission-testbed';
import { describePinion } from './pinion-suite';

const example = join(__dirname, '../../examples/publish');
const program = join(__dirname, '../../build/bin/pinion.js');

/** Returns the scripts of the steps of a Jenkinsfile, in order. */
const steps = (jenkinsfile: string): string[] =>
  [...jenkinsfile.matchAll(/\bsh '''([\s\S]*?)'''|\bsh '([^'\n]*)'/g)].map(([, long, short]) => long ?? short ?? '');

/** Runs a script as an agent does; a nonzero exit code throws its output. */
async function run(script: string, folder: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn('sh', ['-ec', script], { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ]);
  if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${out}${err}`);
  return out + err;
}

describePinion('the CI example', (pinion) => {
  describe('with the submission service', () => {
    let testbed: SubmissionTestbed;
    let submission: SubmissionProcess;
    beforeAll(async () => {
      testbed = await SubmissionTestbed.make(pinion());
      // Both stages deploy to the same cluster, under two names.
      const clusters = [{ name: 'main' }, { name: 'staging-1', kubeconfig: pinion().cluster.kubeconfig }];
      submission = await testbed.start('submission', { clusters });
    }, 240_000);
    afterAll(() => testbed.stop());

    /** Creates a checkout of the example with a commit, the key of its CI, and one cluster instead of three. */
    async function checkout(): Promise<{ readonly folder: string; readonly key: string; readonly commit: string }> {
      const folder = mkdtempSync(join(testbed.folder, 'checkout-'));
      cpSync(example, folder, { recursive: true });
      const { privateKey } = generateKeyPairSync('ed25519');
      const key = join(testbed.folder, 'publisher.pem');
      writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
      const change = (name: string, ...changes: readonly (readonly [RegExp, string])[]): void => {
        const path = join(folder, name);
        writeFileSync(
          path,
          changes.reduce(
            (before, [from, to]) => {
              expect(before).toMatch(from);
              return before.replace(from, to);
            },
            readFileSync(path, 'utf8'),
          ),
        );
      };
      change(
        'project.yaml',
        [/keys: \[[^\]]*\]/, `keys: ['${publicKeyText(privateKey)}']`],
        [/clusters: \[prod-1, prod-2\]/, 'clusters: [main]'],
      );
      change('web.workflow.yaml', [/\[prod-1, prod-2\]/, '[main]'], [/soak: 30m/, 'soak: 5s']);
      const git = 'git -c user.name=ci -c user.email=ci@example.com -c init.defaultBranch=main';
      const created = `git init -q . && ${git} add -A && ${git} commit -qm "A cart" && git rev-parse HEAD`;
      const commit = (await run(created, folder, { PATH: process.env['PATH'] ?? '', HOME: folder })).trim().slice(-40);
      return { folder, key, commit };
    }

    test('deploys a commit to production with the steps of its Jenkinsfile', async () => {
      const { folder, key, commit } = await checkout();
      const [project] = readDocuments(readFileSync(join(folder, 'project.yaml'), 'utf8'), 'project.yaml').documents;
      const { spec } = project?.value as unknown as ManifestInput<'Project'>;
      // A cluster of two stages can have no protected one; "pinion artifact verify" checks the publisher.
      await testbed.project('shop', { stages: (spec.stages ?? []).map(({ name }) => ({ name })) });
      const token = join(testbed.folder, 'deployer');
      writeFileSync(token, await testbed.token('jenkins'), { mode: 0o600 });
      const programs = join(folder, '.git', 'programs');
      mkdirSync(programs);
      const npx = join(programs, 'npx');
      writeFileSync(npx, `#!/bin/sh\nshift 4\nexec '${process.execPath}' '${program}' "$@"\n`);
      chmodSync(npx, 0o755);
      const digest = `sha256:${'a'.repeat(64)}`;
      // Output of the image build, which needs a registry.
      writeFileSync(join(folder, 'build.json'), JSON.stringify({ 'containerimage.digest': digest }));
      const environment = {
        PATH: `${programs}:${process.env['PATH'] ?? ''}`,
        HOME: testbed.folder,
        JENKINS_URL: 'https://jenkins.example.com/',
        GIT_URL: 'https://git.example.com/commerce/shop.git',
        GIT_BRANCH: 'origin/main',
        BRANCH_NAME: 'main',
        GIT_COMMIT: commit,
        BUILD_NUMBER: '7',
        BUILD_URL: 'https://jenkins.example.com/job/shop/7/',
        IMAGE: 'registry.example.com/shop/cart',
        PINION_STORE: testbed.publishing.folder,
        PINION_SERVER: await submission.url(),
        KEY: key,
        PINION_TOKEN_FILE: token,
      };
      const [, , publish = '', staging = '', production = '', ...extraSteps] = steps(
        readFileSync(join(folder, 'Jenkinsfile'), 'utf8'),
      );
      expect(extraSteps).toEqual([]);
      await run(publish, folder, environment);
      expect(await run(staging, folder, environment)).toMatch(/Ready in staging/i);
      await sleep(6_000);
      expect(await run(production, folder, environment)).toMatch(/Ready in production/i);
      expect(await pinion().read('PinterestService', 'shop', 'cart')).toMatchObject({
        metadata: { annotations: { 'example.com/commit': commit } },
        spec: {
          replicas: 12,
          template: { spec: { containers: [{ image: `registry.example.com/shop/cart:${commit}@${digest}` }] } },
        },
      });
    }, 240_000);
  });
});
