import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { publicKeyText } from '../../lib/artifact';
import { type Io } from '../../lib/cli/io/io';
import { readDocuments } from '../../lib/yaml';
import { commit, Issuer, published } from '../artifact/artifact-fixture';
import { given, here, pinion, service } from './terminal';

// Files are flushed, which is slow on test machines.
jest.setTimeout(60_000);

const image = `registry.example.com/app:2@sha256:${'b'.repeat(64)}`;
const workflow = (more = '', workloads = 'files: [apps]') => `apiVersion: pinterest.com/v1
kind: Workflow
metadata: {name: web, namespace: shop}
spec:
  workloads: {${workloads}}
  properties:
    image: {type: image, substitutions: [{workload: cart, fieldPath: 'spec.template.spec.containers[app].image'}]}
  stages: [{name: production, targets: [prod-1]}]
${more}`;

const environment = (variables: Record<string, string> = {}): Pick<Io, 'system'> => ({
  system: {
    environment: { PATH: process.env['PATH'], ...variables },
    clock: { now: () => Date.parse(published), after: () => () => undefined, random: () => 0 },
  },
});
const jenkins = {
  JENKINS_URL: 'https://jenkins.example.com/',
  GIT_URL: 'https://robot:secret@git.example.com/commerce/shop.git',
  BRANCH_NAME: 'main',
  GIT_COMMIT: commit,
  BUILD_URL: 'https://jenkins.example.com/job/shop/7/',
};

let key: KeyObject;
beforeEach(() => {
  key = generateKeyPairSync('ed25519').privateKey;
  given({
    'web.workflow.yaml': workflow(),
    'apps/cart.yaml': service('cart'),
    'ci.pem': key.export({ type: 'pkcs8', format: 'pem' }) as string,
  });
});
const publish = (argv: readonly string[], variables: Record<string, string> = jenkins) =>
  pinion(['publish', 'web.workflow.yaml', '--key', 'ci.pem', ...argv], '', environment(variables));
const artifact = (...argv: string[]) => pinion(['artifact', ...argv], '', environment());

test('shows what CI publishes as it will be applied, and the stage that lists that CI accepts it', async () => {
  given({
    'pinion.platform.yaml': `apiVersion: pinterest.com/v1
kind: Project
metadata: {name: shop}
spec:
  team: commerce
  stages:
    - name: production
      publishers:
        - issuer: https://jenkins.example.com
          repository: git.example.com/commerce/shop
          ref: refs/heads/main
          keys: ['${publicKeyText(key)}']
`,
  });
  const done = await publish(['--version', '2', '--review', 'https://git.example.com/pull/7', `image=${image}`]);
  expect(done).toMatchObject({ code: 0, err: '' });
  expect(done.out).toMatch(
    /^shop\/web@2 sha256:[0-9a-f]{64} published\nin .pinion\/artifacts, .*\nfrom git.example.com\/commerce\/shop refs\/heads\/main 3f78/,
  );
  const shown = await artifact('show', 'shop/web@2', '-o', 'yaml');
  expect(readDocuments(shown.out, 'out').documents.map(({ value }) => value)).toEqual(
    readDocuments(service('cart').replace('registry.example.com/app:1.4.2', image), 'in').documents.map(
      ({ value }) => value,
    ),
  );
  expect((await artifact('show', 'shop/web@2')).out).toContain('review https://git.example.com/pull/7');
  expect(await artifact('verify', 'shop/web@2')).toMatchObject({
    code: 0,
    out: 'stage production: accepted, git.example.com/commerce/shop refs/heads/main (https://jenkins.example.com)\n',
  });
  expect((await artifact('list', 'shop')).out).toContain(`shop/web@2  ${published}`);

  await publish(['--version', '3', `image=${image}`], { ...jenkins, BRANCH_NAME: 'topic' });
  const refused = await artifact('verify', 'shop/web@3');
  expect(refused.code).toBe(1);
  expect(refused.out).toContain(
    'stage production: rejected\nerror untrusted-artifact: spec.stages: "shop/web@3" was published by git.example.com/commerce/shop at refs/heads/topic',
  );
});

test('rejects an artifact signed by another key with the name of the stage and the half of the key to list', async () => {
  const publisher = (listed: KeyObject) => `      publishers:
        - issuer: https://jenkins.example.com
          repository: git.example.com/commerce/shop
          ref: refs/heads/main
          keys: ['${publicKeyText(listed)}']
        - {issuer: https://jenkins.example.com, repository: git.example.com/commerce/other, ref: refs/heads/main}
`;
  given({
    'pinion.platform.yaml': `apiVersion: pinterest.com/v1
kind: Project
metadata: {name: shop}
spec:
  team: commerce
  stages:
    - name: staging
    - name: production
${publisher(generateKeyPairSync('ed25519').privateKey)}`,
    'web.workflow.yaml': workflow().replace('stages: [', 'stages: [{name: staging, targets: [staging-1]}, '),
  });
  await publish(['--version', '2', `image=${image}`]);
  const { code, out } = await artifact('verify', 'shop/web@2');
  expect(code).toBe(1);
  expect(out).toBe(`stage staging: accepted, not protected
stage production: rejected
error untrusted-artifact: spec.stages: "shop/web@2" is not signed with a key of git.example.com/commerce/shop; sign with a key that the Project lists, or add the public key of the signing key there, as printed by "openssl pkey -in KEY -pubout -outform DER | base64 -w0"
`);
});

test.each([
  [['show', 'shop/web'], 'shop/web has no version; use shop/web@VERSION ("pinion artifact list shop/web" lists them)'],
  [['list', '--keep', '2', '--stage', 'prod'], 'unknown option --keep'],
  [['verify', 'web@2'], '"web@2" is not an artifact; use PROJECT/NAME@VERSION or sha256:DIGEST'],
])('artifact %j is a usage error', async (argv, message) => {
  expect(await artifact(...argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
});

test('verify with a missing platform file reads nothing', async () => {
  await publish(['--version', '2', `image=${image}`]);
  expect(await artifact('verify', 'shop/web@2', '--platform', 'nosuch')).toEqual({
    code: 3,
    out: '',
    err: 'nosuch:1:1: error parse-error: (document): does not exist; name a file or folder that can be read\n',
  });
});

test('publishing twice gives one artifact, and a version is immutable', async () => {
  const first = await publish(['--version', '2', `image=${image}`, '-o', 'json']);
  const second = await publish(['--version', '2', `image=${image}`, '-o', 'json']);
  const [one, two] = [first, second].map(({ out }) => JSON.parse(out) as Record<string, unknown>);
  expect([one?.['isNew'], two?.['isNew'], two?.['digest']]).toEqual([true, false, one?.['digest']]);
  expect(one).toMatchObject({
    reference: 'shop/web@2',
    stages: [{ name: 'production', properties: { image }, resources: ['PinterestService shop/cart'] }],
    provenance: { repository: 'git.example.com/commerce/shop', ref: 'refs/heads/main', commit, run: jenkins.BUILD_URL },
    problems: [],
  });
  const other = await publish(['--version', '2', `image=registry.example.com/app:3@sha256:${'c'.repeat(64)}`]);
  expect([other.code, other.out]).toEqual([1, '']);
  expect(other.err).toContain('error duplicate: version: "shop/web@2" was already published on');
});

test.each([
  [
    ['artifact', 'list', '--store', 'gs://bucket/x'],
    '--store must be a folder, s3://BUCKET or s3://BUCKET/PREFIX, not "gs://bucket/x"',
  ],
  [['artifact', 'list', 'shop/web@1.4.2'], 'artifact list takes PROJECT or PROJECT/NAME, not "shop/web@1.4.2"'],
  [['artifact', 'list', '/'], 'artifact list takes PROJECT or PROJECT/NAME, not "/"'],
])('pinion %j is a usage error', async (argv, message) => {
  given({});
  expect(await pinion(argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
});

test('names the store, and reports one that was never published to', async () => {
  const to = (store: string, version: string) => publish(['--version', version, '--store', store, `image=${image}`]);
  expect((await to('artefacts', '1')).out.split('\n')[1]).toBe(
    'in artefacts, which holds nothing else of its project: check --store and PINION_STORE if that is unexpected',
  );
  expect((await to('artefacts', '2')).out.split('\n')[1]).toBe('in artefacts');
  const outcome = async (...argv: string[]) => JSON.parse((await publish([...argv, '-o', 'json'])).out) as unknown;
  const argv = ['--version', '3', '--store', join(here(), 'other'), `image=${image}`];
  expect(await outcome(...argv)).toMatchObject({ store: join(here(), 'other'), isNewStore: true });
  expect(await outcome(...argv)).toMatchObject({ store: join(here(), 'other'), isNewStore: false });
});

test('an empty list says so with its store', async () => {
  const nothing = (of: string, store: string) => ({
    code: 0,
    out: `nothing was published${of} in ${store}; compare --store and PINION_STORE with those of the publisher\n`,
  });
  expect(await artifact('list')).toMatchObject(nothing('', '.pinion/artifacts'));
  expect(await artifact('list', '--store', 's', '-o', 'json')).toMatchObject({ code: 0, out: '[]\n' });
  await publish(['--version', '2', `image=${image}`]);
  expect(await artifact('list', 'shop/till')).toMatchObject(nothing(' of shop/till', '.pinion/artifacts'));
});

test('reports a version with a corrupt file by name, and lists the others', async () => {
  await publish(['--version', '2', `image=${image}`]);
  await publish(['--version', '3', `image=${image}`]);
  const damaged = join(here(), '.pinion/artifacts/versions/shop/web/2');
  rmSync(damaged);
  given({ '.pinion/artifacts/versions/shop/web/2': '{"digest":"sha' });
  const { code, out, err } = await artifact('list');
  expect(code).toBe(1);
  expect(out).toMatch(/^ARTIFACT .*\nshop\/web@3 .*\n$/);
  expect(err).toBe(
    'error untrusted-artifact: (document): "versions/shop/web/2" is damaged in the store .pinion/artifacts; find out who wrote to the store, and bring the file back from a copy\n',
  );
  const json = await artifact('list', '-o', 'json');
  expect([json.code, JSON.parse(json.out)]).toMatchObject([1, [{ version: '3' }]]);
  expect(await artifact('prune', '--keep', '1')).toMatchObject({
    code: 3,
    err: expect.stringMatching(
      /versions\/shop\/web\/2 is corrupt; find out who modified .* restore the file from a backup/,
    ),
  });
});

test('reports a missing file of the workflow at its path, with all other problems', async () => {
  given({ 'web.workflow.yaml': workflow('', 'files: [kart.yaml, apps, till.yaml]') });
  const { code, err } = await publish(['--version', '2', `image=${image}`]);
  expect(code).toBe(3);
  expect(err).toBe(
    `web.workflow.yaml:5:23: error parse-error: Workflow shop/web: spec.workloads.files[0]: names kart.yaml, which does not exist; name a file or folder that can be read
web.workflow.yaml:5:40: error parse-error: Workflow shop/web: spec.workloads.files[2]: names till.yaml, which does not exist; name a file or folder that can be read
`,
  );
});

test('remedies name the field to change, even if its list is empty', async () => {
  given({ 'web.workflow.yaml': workflow('', 'files: [none]'), 'none/readme.txt': '' });
  const { code, err } = await publish(['--version', '2', `image=${image}`]);
  expect(code).toBe(1);
  expect(err).toContain(
    'substitutions[0].workload: "cart" is not a workload of the workflow; add its file to spec.workloads\n',
  );
  given({
    'web.workflow.yaml': workflow(),
    'pinion.platform.yaml':
      'apiVersion: pinterest.com/v1\nkind: Project\nmetadata: {name: shop}\nspec: {team: commerce, stages: []}\n',
  });
  await publish(['--version', '2', `image=${image}`]);
  expect((await artifact('verify', 'shop/web@2')).out).toContain(
    '"production" is not a stage of the Project; list it in the Project\n',
  );
});

test('reports all problems at once with their lines, and publishes nothing', async () => {
  given({
    'apps/till.yaml': service('till').replace('replicas: 2', 'replicas: two'),
    'web.workflow.yaml': workflow().replace('cart', 'crat'),
  });
  const { code, err } = await publish(['--version', '2', 'colour=red']);
  expect(code).toBe(1);
  expect(err).toContain(
    'web.workflow.yaml:7:43: error unknown-reference: Workflow shop/web: spec.properties.image.substitutions[0].workload: "crat" is not a workload of the workflow; did you mean "cart"?',
  );
  expect(err).toContain('error unknown-reference: Workflow shop/web: spec.properties.colour');
  expect(err).toContain('error required: Workflow shop/web: spec.properties.image');
  expect(existsSync(join(here(), '.pinion'))).toBe(false);
  const fixed = await publish(['--version', '2', `image=${image}`]);
  expect(fixed.err).toContain('unknown-reference');
  given({ 'web.workflow.yaml': workflow() });
  expect((await publish(['--version', '2', `image=${image}`])).err).toContain(
    'apps/till.yaml:5:3: error wrong-type: PinterestService shop/till: spec.replicas: "two" is a string',
  );
});

test('a dry run shows what would be published and needs no identity', async () => {
  const done = await pinion(
    ['publish', 'web.workflow.yaml', '--version', '2', '--dry-run', `image=${image}`],
    '',
    environment(),
  );
  expect(done.code).toBe(0);
  expect(done.out).toMatch(
    /^shop\/web@2 sha256:[0-9a-f]{64} would be published\nstage production on prod-1: 1 workload\n/,
  );
  expect(existsSync(join(here(), '.pinion'))).toBe(false);
});

test.each<[string, readonly string[], Record<string, string>, string]>([
  ['no version', [`image=${image}`], jenkins, 'publish requires --version VERSION'],
  ['no origin', ['--version', '2', `image=${image}`], {}, 'give --commit, --repository, --ref, --issuer'],
  [
    'an argument that is not a property',
    ['--version', '2', 'image'],
    jenkins,
    '"image" is not a property; use NAME=VALUE',
  ],
  ['a duplicate property', ['--version', '2', 'a=1', 'a=2'], jenkins, 'a is given twice'],
  [
    'a key that cannot sign',
    ['--version', '2', '--key', 'web.workflow.yaml'],
    jenkins,
    'is not a private key of type Ed25519',
  ],
])('%s is a usage error', async (_, argv, variables, message) => {
  const { code, err } = await publish(argv, variables);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test('without a key or a CI that issues tokens there is no way to sign', async () => {
  const { code, err } = await pinion(['publish', 'web.workflow.yaml', '--version', '2'], '', environment(jenkins));
  expect(code).toBe(2);
  expect(err).toContain('permissions: id-token: write');
});

test('an unavailable file or folder is exit code 3', async () => {
  given({ 'web.workflow.yaml': workflow('', 'files: [none.yaml]') });
  expect(await publish(['--version', '2', `image=${image}`])).toMatchObject({ code: 3 });
  given({ 'web.workflow.yaml': workflow(), store: 'a file' });
  expect(await publish(['--version', '2', '--store', 'store', `image=${image}`])).toMatchObject({ code: 3 });
  expect((await publish(['--version', '2', '--key', 'none.pem', `image=${image}`])).err).toContain(
    'none.pem: does not exist',
  );
});

test.each<[string, Record<string, string>, object]>([
  [
    'Jenkins for a pull request',
    {
      ...jenkins,
      GIT_URL: 'git@git.example.com:commerce/shop.git',
      BRANCH_NAME: 'PR-7',
      CHANGE_ID: '7',
      CHANGE_URL: 'https://git.example.com/7',
    },
    { repository: 'git.example.com/commerce/shop', ref: 'refs/pull/7', review: 'https://git.example.com/7' },
  ],
  ['Jenkins for a tag', { ...jenkins, TAG_NAME: 'v2' }, { ref: 'refs/tags/v2', issuer: 'https://jenkins.example.com' }],
  [
    'GitLab',
    {
      GITLAB_CI: 'true',
      CI_SERVER_URL: 'https://gitlab.example.com',
      CI_PROJECT_PATH: 'commerce/shop',
      CI_COMMIT_REF_NAME: 'main',
      CI_COMMIT_SHA: commit,
      CI_JOB_URL: 'https://gitlab.example.com/jobs/1',
    },
    {
      issuer: 'https://gitlab.example.com',
      repository: 'commerce/shop',
      ref: 'refs/heads/main',
      run: 'https://gitlab.example.com/jobs/1',
    },
  ],
])('%s sets the source of the artifact', async (_, variables, provenance) => {
  const { out } = await publish(['--version', '2', `image=${image}`, '-o', 'json'], variables);
  expect(JSON.parse(out)).toMatchObject({ provenance: { commit, ...provenance } });
});

describe('in GitHub Actions', () => {
  const ci = new Issuer();
  const asked: string[] = [];
  let server: Server;
  let variables: Record<string, string>;
  beforeEach(async () => {
    asked.length = 0;
    // A double of the GitHub endpoint that issues tokens to a job.
    server = createServer(({ url = '', headers }, response) => {
      const audience = new URL(url, 'http://localhost').searchParams.get('audience') ?? '';
      asked.push(audience);
      const isKnown = headers.authorization === 'Bearer run-secret';
      response.statusCode = isKnown ? 200 : 401;
      response.end(JSON.stringify(isKnown ? { value: ci.token(audience) } : {}));
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    variables = {
      GITHUB_ACTIONS: 'true',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'commerce/other',
      GITHUB_RUN_ID: '42',
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'run-secret',
    };
  });
  afterEach(() => new Promise((done) => server.close(done)));
  const publishByToken = () =>
    pinion(
      ['publish', 'web.workflow.yaml', '--version', '2', '-o', 'json', `image=${image}`],
      '',
      environment(variables),
    );

  test('the token identifies the source and is valid for this artifact only', async () => {
    const { code, out } = await publishByToken();
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      provenance: {
        issuer: 'https://ci.example.com',
        repository: 'commerce/shop',
        ref: 'refs/heads/main',
        commit,
        run: 'https://github.com/commerce/other/actions/runs/42',
      },
    });
    expect(asked).toEqual(['pinion:who', expect.stringMatching(/^pinion:sha256:[0-9a-f]{64}$/)]);
  });

  test('a job without permission to request tokens publishes nothing', async () => {
    variables['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] = 'other';
    expect(await publishByToken()).toMatchObject({ code: 3, err: 'pinion: the CI gives no token: it answers 401\n' });
  });
});

describe('an app', () => {
  const app = (body: string, timeout = '1m') => {
    given({
      'app.js': `const { writeFileSync } = require('node:fs');\nconst out = process.env.CDK8S_OUTDIR;\n${body}`,
      'web.workflow.yaml': workflow('', `app: {command: [node, app.js], timeout: ${timeout}}`),
    });
    return publish(['--version', '2', `image=${image}`], { ...jenkins, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'run-secret' });
  };
  const write = (text: string) => `writeFileSync(out + '/app.yaml', ${JSON.stringify(text)});`;

  test('is run in the folder of the workflow and emits custom resources, without access to token requests', async () => {
    const log = 'console.log(process.env.PINION_EMIT, process.env.ACTIONS_ID_TOKEN_REQUEST_TOKEN);';
    const { code, out, err } = await app(`${log} ${write(service('cart'))}`);
    expect([code, err]).toEqual([0, 'resource undefined\n']);
    expect(out).toContain('stage production on prod-1: 1 workload');
  });

  test('with native objects is asked to emit custom resources', async () => {
    const { code, err } = await app(write('apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: cart}\n'));
    expect(code).toBe(1);
    expect(err).toContain('error unknown-kind: Deployment cart: kind: "Deployment" is not a workload kind');
  });

  test.each([
    ['fails', 'console.error("no such chart"); process.exit(3);', '1m', 'ends with 3'],
    ['does not end', 'setInterval(() => undefined, 1000);', '1s', 'has not ended after 1 s'],
  ])('that %s publishes nothing', async (_, body, timeout, reason) => {
    const { code, err } = await app(body, timeout);
    expect(code).toBe(1);
    expect(err).toContain(`web.workflow.yaml:5:21: error parse-error: spec.workloads.app.command: ${reason}`);
    expect(existsSync(join(here(), '.pinion'))).toBe(false);
  });
});

test('retention deletes no recent artifact, and its arguments are validated', async () => {
  await publish(['--version', '2', `image=${image}`]);
  expect(await artifact('prune', '--keep', '1', '--days', '0')).toMatchObject({ code: 0, out: '', err: '0 removed\n' });
  for (const argv of [
    ['prune'],
    ['prune', '--keep', '0'],
    ['prune', '--keep', 'all'],
    ['prune', 'shop', '--keep', '1'],
    ['show'],
    ['frob'],
    [],
  ])
    expect(await artifact(...argv)).toMatchObject({ code: 2 });
  expect(await artifact('show', 'shop/web@9')).toMatchObject({ code: 1 });
  expect((await artifact('show', 'shop/web@2', '--stage', 'prod')).err).toContain(
    'shop/web@2 has no stage prod; use production',
  );
});

test('an artifact of an undescribed Project is not verified', async () => {
  await publish(['--version', '2', `image=${image}`]);
  const { code, err } = await artifact('verify', 'shop/web@2');
  expect(code).toBe(1);
  expect(err).toContain(
    'error unknown-reference: (document): "shop" not found; platform: built-in (no pinion.platform.yaml found); give the manifests of the cluster with --platform; "pinion platform pull" writes them',
  );
});

test('check validates workflows too; render skips them', async () => {
  given({ 'apps/web.yaml': workflow().replace('targets', 'tragets') });
  const { code, out } = await pinion(['check', 'apps']);
  expect(code).toBe(1);
  expect(out).toContain('apps/web.yaml:8:31: error unknown-field: Workflow shop/web: spec.stages[0].tragets');
  given({ 'apps/web.yaml': workflow() });
  const rendered = await pinion(['render', 'apps']);
  expect(rendered.code).toBe(0);
  expect(rendered.out).not.toContain('Workflow');
  expect(readFileSync(join(here(), 'apps/web.yaml'), 'utf8')).toContain('Workflow');
});

test('reports a file in place of the store folder', async () => {
  given({ text: '' });
  expect(await pinion(['artifact', 'list', '--store', 'text'])).toMatchObject({
    code: 3,
    err: expect.stringMatching(/^pinion: \S+\/text: is not a folder\n$/) as string,
  });
});
