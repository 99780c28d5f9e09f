import { generateKeyPairSync } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { safeParseManifest, isError } from '../../lib/api';
import { publicKeyText } from '../../lib/artifact';
import { defaultPlatform } from '../../lib/expand';
import { readDocuments } from '../../lib/yaml';
import { frame, makePreview, makeDeployment, makeEvent } from '../contract/sample-resources';
import { runWithService, service } from './run-with-service';
import { testFolder, pinion, writeFiles } from './terminal';

jest.setTimeout(60_000);

const folder = join(__dirname, '../../examples/publish');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

test('the example workflow publishes its service to both stages, each with its values', async () => {
  cpSync(folder, testFolder(), { recursive: true });
  const image = `registry.example.com/shop/cart:1@sha256:${'a'.repeat(64)}`;
  const commit = 'b'.repeat(40);
  const argv = ['publish', '--dry-run', '--version', '1.0.7', '--commit', commit, '-o', 'json', 'web.workflow.yaml'];
  const { code, out, err } = await pinion([...argv, `image=${image}`]);
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toMatchObject({
    reference: 'shop/web@1.0.7',
    stages: [
      { name: 'staging', properties: { image, commit, replicas: 2 }, resources: ['PinterestService shop/cart'] },
      { name: 'production', properties: { replicas: 12 }, promotion: { soak: '30m' }, stop: { onFailure: 'Rollback' } },
    ],
  });
});

test('with the Project of the example, a tag without a digest is rejected; without it, it causes a warning', async () => {
  cpSync(folder, testFolder(), { recursive: true });
  const argv = ['publish', '--dry-run', '--version', '1.0.7', '--commit', 'b'.repeat(40), 'web.workflow.yaml'];
  const tag = 'image=registry.example.com/shop/cart:1';
  const unknown = await pinion([...argv, tag]);
  expect([unknown.code, unknown.err]).toEqual([0, expect.stringContaining('warning bad-format')]);
  const known = await pinion([...argv, tag, '--platform', 'project.yaml']);
  expect([known.code, known.err]).toEqual([1, expect.stringContaining('a protected stage runs images by digest only')]);
});

test('the example is valid on a cluster of its protected stage', async () => {
  cpSync(folder, join(testFolder(), 'publish'), { recursive: true });
  const deploymentKeys = [publicKeyText(generateKeyPairSync('ed25519').privateKey)];
  const spec = { ...defaultPlatform.spec, cluster: 'prod-1', deploymentKeys };
  writeFiles({ 'platform.yaml': JSON.stringify({ ...defaultPlatform, spec }) });
  const { code, err } = await pinion(['check', '--platform', 'platform.yaml', 'publish']);
  expect([code, err]).toEqual([0, expect.stringContaining('0 warnings')]);
});

test('the example Project is valid and lists the stages of the workflow', () => {
  const [project] = readDocuments(read('project.yaml'), 'project.yaml').documents;
  const { manifest, problems } = safeParseManifest(project?.value);
  expect(problems.filter(isError)).toEqual([]);
  expect(manifest?.kind === 'Project' && manifest.spec.stages?.map(({ name }) => name)).toEqual([
    'staging',
    'production',
  ]);
});

test.each(['.github/workflows/deploy.yaml', 'Jenkinsfile'])('%s publishes the workflow of the example', (name) => {
  const text = read(name).replaceAll('\\\n', ' ');
  const [published] = /pinion publish .*/.exec(text) ?? [];
  expect(published).toMatch(/--version "[^"]+" .*web\.workflow\.yaml +"image=\$IMAGE:[^"]*@\$(DIGEST|digest)"/);
  // So that publishing applies the rules of the protected stage.
  expect(published).toContain('--platform project.yaml');
  expect(text).toMatch(/pinion artifact verify "shop\/web@[^"]+" --platform project\.yaml/);
});

interface WorkflowJob {
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

describe('the GitHub Actions workflow', () => {
  const { documents, problems } = readDocuments(read('.github/workflows/deploy.yaml'), 'deploy.yaml');
  const workflow = documents[0]?.value as { permissions: object; jobs: Readonly<Record<string, WorkflowJob>> };
  const jobs = Object.entries(workflow.jobs);
  const runsCode = ({ steps }: WorkflowJob): boolean =>
    steps.some(
      ({ uses = '', run = '' }) =>
        uses.includes('build-push-action') || /npm (ci|install)(?! --ignore-scripts)/.test(run),
    );

  test('is valid YAML, and grants permissions by job', () => {
    expect(problems.filter(isError)).toEqual([]);
    expect(workflow.permissions).toEqual({});
  });

  test('requests tokens only in jobs that run no code of dependencies', () => {
    const [signing, building] = [true, false].map((wanted) =>
      jobs.filter(([, { permissions }]) => (permissions['id-token'] === 'write') === wanted),
    );
    expect(signing?.map(([name]) => name)).toEqual(['publish', 'staging', 'production']);
    expect(signing?.filter(([, job]) => runsCode(job))).toEqual([]);
    expect(building?.map(([name, job]) => [name, runsCode(job)])).toEqual([['build', true]]);
  });

  test('pins every action by its digest', () => {
    const actions = jobs.flatMap(([, { steps }]) => steps.flatMap(({ uses }) => uses ?? []));
    expect(actions.length).toBeGreaterThan(5);
    expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });
});

test('the Jenkins pipeline builds on other agents than it signs on', () => {
  const text = read('Jenkinsfile');
  expect([...text.matchAll(/agent \{ label '(\w+)' \}/g)].map(([, label]) => label)).toEqual(['build', 'deliver']);
  expect(text.slice(0, text.indexOf("label 'deliver'"))).not.toContain('withCredentials');
});

test.each(['.github/workflows/deploy.yaml', 'Jenkinsfile'])('%s continues until each stage is Ready', async (name) => {
  service.replies = {
    preview: () => ({ value: makePreview() }),
    deploy: () => ({ value: makeDeployment('pending') }),
    follow: () => ({ stream: (response) => void response.end(frame(makeEvent(1, 'ready'))) }),
    deployment: () => ({ value: makeDeployment('ready') }),
  };
  const lines = [...read(name).matchAll(/npx --no-install --prefix ci pinion ((?:diff|deploy) [^\n']*)/g)].map(
    ([, line = '']) => line,
  );
  for (const line of lines) {
    const argv = line.replaceAll('"', '').replace(/\$\w+/, '7').split(' ');
    expect([argv, (await runWithService(argv, { environment: { CI: 'true' } })).code]).toEqual([argv, 0]);
  }
  expect(
    service.requests.filter(({ body }) => body !== undefined).map(({ name: operation, body }) => [operation, body]),
  ).toEqual([
    ['deploy', { artifact: 'shop/web@1.0.7', stage: 'staging' }],
    ['preview', { artifact: 'shop/web@1.0.7', stage: 'production' }],
    ['deploy', { artifact: 'shop/web@1.0.7', stage: 'production' }],
  ]);
});
