import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { commit, Issuer } from '../artifact/artifact-fixture';
import { artifact, environment, image, jenkins, publish, workflow } from './publish-fixture';
import { writeFiles, testFolder, pinion, service } from './terminal';

test('publishing twice creates one artifact, and a version is immutable', async () => {
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

test('prints the store, and reports one that was never published to', async () => {
  const publishTo = (store: string, version: string) =>
    publish(['--version', version, '--store', store, `image=${image}`]);
  expect((await publishTo('artefacts', '1')).out.split('\n')[1]).toBe(
    'in artefacts, which contains nothing else of its project; check --store and PINION_STORE if that is unexpected',
  );
  expect((await publishTo('artefacts', '2')).out.split('\n')[1]).toBe('in artefacts');
  const outcome = async (...argv: string[]) => JSON.parse((await publish([...argv, '-o', 'json'])).out) as unknown;
  const argv = ['--version', '3', '--store', join(testFolder(), 'other'), `image=${image}`];
  expect(await outcome(...argv)).toMatchObject({ store: join(testFolder(), 'other'), isNewStore: true });
  expect(await outcome(...argv)).toMatchObject({ store: join(testFolder(), 'other'), isNewStore: false });
});

test('reports a missing workflow file at its path, with all other problems', async () => {
  writeFiles({ 'web.workflow.yaml': workflow('', 'files: [kart.yaml, apps, till.yaml]') });
  const { code, err } = await publish(['--version', '2', `image=${image}`]);
  expect(code).toBe(3);
  expect(err).toBe(
    `web.workflow.yaml:5:23: error parse-error: Workflow shop/web: spec.workloads.files[0]: names kart.yaml, which does not exist; name a file or folder that can be read
web.workflow.yaml:5:40: error parse-error: Workflow shop/web: spec.workloads.files[2]: names till.yaml, which does not exist; name a file or folder that can be read
`,
  );
});

test('remedies name the field to change, even if its list is empty', async () => {
  writeFiles({ 'web.workflow.yaml': workflow('', 'files: [none]'), 'none/readme.txt': '' });
  const { code, err } = await publish(['--version', '2', `image=${image}`]);
  expect(code).toBe(1);
  expect(err).toContain(
    'substitutions[0].workload: "cart" is not a workload of the workflow; add its file to spec.workloads\n',
  );
  writeFiles({
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
  writeFiles({
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
  expect(existsSync(join(testFolder(), '.pinion'))).toBe(false);
  const fixed = await publish(['--version', '2', `image=${image}`]);
  expect(fixed.err).toContain('unknown-reference');
  writeFiles({ 'web.workflow.yaml': workflow() });
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
  expect(existsSync(join(testFolder(), '.pinion'))).toBe(false);
});

test.each<[string, readonly string[], Record<string, string>, string]>([
  ['no version', [`image=${image}`], jenkins, 'publish requires --version VERSION'],
  ['no origin', ['--version', '2', `image=${image}`], {}, 'pass --commit, --repository, --ref, --issuer'],
  [
    'an argument that is not a property',
    ['--version', '2', 'image'],
    jenkins,
    '"image" is not a property; use NAME=VALUE',
  ],
  ['a duplicate property', ['--version', '2', 'a=1', 'a=2'], jenkins, 'a is set twice'],
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

test('requires a signing key or a CI that issues tokens', async () => {
  const { code, err } = await pinion(['publish', 'web.workflow.yaml', '--version', '2'], '', environment(jenkins));
  expect(code).toBe(2);
  expect(err).toContain('permissions: id-token: write');
});

test('an unavailable file or folder is exit code 3', async () => {
  writeFiles({ 'web.workflow.yaml': workflow('', 'files: [none.yaml]') });
  expect(await publish(['--version', '2', `image=${image}`])).toMatchObject({ code: 3 });
  writeFiles({ 'web.workflow.yaml': workflow(), store: 'a file' });
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
  const audiences: string[] = [];
  let server: Server;
  let variables: Record<string, string>;
  beforeEach(async () => {
    audiences.length = 0;
    // A fake of the GitHub endpoint that issues tokens to jobs.
    server = createServer(({ url = '', headers }, response) => {
      const audience = new URL(url, 'http://localhost').searchParams.get('audience') ?? '';
      audiences.push(audience);
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
    expect(audiences).toEqual(['pinion:who', expect.stringMatching(/^pinion:sha256:[0-9a-f]{64}$/)]);
  });

  test('a job without permission to request tokens cannot publish', async () => {
    variables['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] = 'other';
    expect(await publishByToken()).toMatchObject({
      code: 3,
      err: 'pinion: cannot get a token from the CI: HTTP status 401\n',
    });
  });
});

describe('an app', () => {
  const app = (body: string, timeout = '1m') => {
    writeFiles({
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

  test('that emits native objects must emit custom resources instead', async () => {
    const { code, err } = await app(write('apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: cart}\n'));
    expect(code).toBe(1);
    expect(err).toContain('error unknown-kind: Deployment cart: kind: "Deployment" is not a workload kind');
  });

  test.each([
    ['fails', 'console.error("no such chart"); process.exit(3);', '1m', 'exited with 3'],
    ['does not end', 'setInterval(() => undefined, 1000);', '1s', 'did not exit within 1 s'],
  ])('that %s publishes nothing', async (_, body, timeout, reason) => {
    const { code, err } = await app(body, timeout);
    expect(code).toBe(1);
    expect(err).toContain(`web.workflow.yaml:5:21: error parse-error: spec.workloads.app.command: ${reason}`);
    expect(existsSync(join(testFolder(), '.pinion'))).toBe(false);
  });
});

test('check validates workflows too; render skips them', async () => {
  writeFiles({ 'apps/web.yaml': workflow().replace('targets', 'tragets') });
  const { code, out } = await pinion(['check', 'apps']);
  expect(code).toBe(1);
  expect(out).toContain('apps/web.yaml:8:31: error unknown-field: Workflow shop/web: spec.stages[0].tragets');
  writeFiles({ 'apps/web.yaml': workflow() });
  const rendered = await pinion(['render', 'apps']);
  expect(rendered.code).toBe(0);
  expect(rendered.out).not.toContain('Workflow');
  expect(readFileSync(join(testFolder(), 'apps/web.yaml'), 'utf8')).toContain('Workflow');
});
