import { loadAll } from 'js-yaml';
import { runText } from '../../lib/cli/commands/canary/run';
import { pinion } from './terminal';

test('prints its manifests in the order in which to apply them', async () => {
  const { code, out } = await pinion([
    'canary',
    'manifests',
    '--image',
    'registry.example.com/canary:1',
    '--schedule',
    '@hourly',
  ]);
  expect(code).toBe(0);
  const kinds = (loadAll(out) as { kind: string }[]).map(({ kind }) => kind);
  expect([kinds[0], kinds.at(-1)]).toEqual(['Project', 'PinterestCronJob']);
  expect(out).toContain('schedule: "@hourly"');
});

test('sets the given variables, and those of a Secret', async () => {
  const { code, out } = await pinion([
    ...[
      'canary',
      'manifests',
      '--image',
      'registry.example.com/canary:1',
      '--secret',
      'canary-secrets:CANARY_SIGNING_KEY',
    ],
    ...['--env', 'CANARY_PUSHGATEWAY_URL=http://push.monitoring:9091/?a=b,CANARY_TARGET=main,AWS_REGION=us-east-1'],
  ]);
  const job = (loadAll(out) as { kind: string; spec: object }[]).find(({ kind }) => kind === 'PinterestCronJob');
  expect(code).toBe(0);
  expect(JSON.stringify(job)).toContain('{"name":"CANARY_PUSHGATEWAY_URL","value":"http://push.monitoring:9091/?a=b"}');
  expect(job?.spec).toMatchObject({
    secrets: { env: { CANARY_SIGNING_KEY: { name: 'canary-secrets', key: 'CANARY_SIGNING_KEY' } } },
  });
});

test('reports all problems of image, schedule and variables at once and prints no manifest', async () => {
  const argv = [
    'canary',
    'manifests',
    '--image',
    'registry.example.com/canary',
    '--schedule',
    'TZ=Mars/Base 61 * * * *',
  ];
  const { code, out, err } = await pinion([...argv, '--secret', `${'x'.repeat(254)}:CANARY_SIGNING_KEY`]);
  expect([code, out]).toEqual([1, '']);
  const lines = err.trim().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/PinterestCronJob pinion-canary\/canary: spec\.schedule: "TZ=Mars.*"@daily"$/),
    expect.stringContaining('spec.secrets.env.CANARY_SIGNING_KEY.name'),
    expect.stringMatching(/containers\[0\]\.image: "registry\.example\.com\/canary" is not an image with its tag/),
  ]);
});

const withImage = ['--image', 'registry.example.com/program:1'];

test('reports all unknown variables at once, each with the most similar name', async () => {
  const env = 'CANARY_DEPLOYMENT_PATH=synth,CANARY_PUSHGATEWAY_URI=http://push:9091,UNHEARD_OF=1,CANARY_TARGET=main';
  const argv = ['canary', 'manifests', ...withImage, '--env', env, '--secret', 'keys:CANARY_SIGNING_KEYS'];
  const { code, out, err } = await pinion(argv);
  expect([code, out]).toEqual([1, '']);
  expect(err.trim().split('\n')).toEqual([
    'error unknown-field: env.CANARY_DEPLOYMENT_PATH: sets CANARY_DEPLOYMENT_PATH, which is not a variable of this program; use CANARY_DEPLOYMENT_PATHS',
    expect.stringMatching(/env\.CANARY_PUSHGATEWAY_URI: .*; use CANARY_PUSHGATEWAY_URL$/),
    expect.stringMatching(/env\.UNHEARD_OF: .*; use PINION_PROJECT, CANARY_SANDBOX, /),
    expect.stringMatching(/secret\.keys\[0\]: sets CANARY_SIGNING_KEYS, .*; use CANARY_SIGNING_KEY$/),
  ]);
  const quotaMonitor = await pinion(['quota', 'manifests', ...withImage, '--env', 'QUOTA_FILLING_PERCENTS=80']);
  expect(quotaMonitor).toMatchObject({ code: 1, err: expect.stringContaining('; use QUOTA_FILLING_PERCENT\n') });
  const otherProgram = await pinion(['quota', 'manifests', ...withImage, '--env', 'CANARY_DEPLOYMENT_PATHS=synth']);
  expect(otherProgram).toMatchObject({
    code: 1,
    err: expect.stringContaining('which is not a variable of this program'),
  });
});

test('accepts variables for Node.js, its libraries and AWS', async () => {
  const env =
    'UV_THREADPOOL_SIZE=8,NODE_OPTIONS=--max-old-space-size=200,OPENSSL_CONF=/etc/ssl.cnf,AWS_ACCESS_KEY_ID=AKIA1';
  const argv = ['canary', 'manifests', ...withImage, '--env', env, '--secret', 'keys:AWS_SECRET_ACCESS_KEY'];
  expect(await pinion(argv)).toMatchObject({ code: 0, err: '' });
});

test.each([
  ['quota manifests', 'QUOTA_WEBHOOK_URL=https://ben:hunter2@hooks.example.com/quota'],
  ['quota manifests', 'QUOTA_WEBHOOK_URL=https://hooks.example.com/quota?access_token=hunter2'],
  ['quota manifests', 'QUOTA_WEBHOOK_TOKEN=hunter2'],
  ['canary manifests', 'CANARY_PUSHGATEWAY_URL=http://hunter2@push.monitoring:9091'],
  ['canary manifests', 'CANARY_SIGNING_KEY=hunter2'],
  ['canary manifests', 'AWS_SECRET_ACCESS_KEY=hunter2'],
])('%s rejects a secret in a plain-text variable and does not print it: %s', async (words, env) => {
  const { code, out, err } = await pinion([...words.split(' '), ...withImage, '--env', env]);
  const [name = ''] = env.split('=');
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(new RegExp(`^error bad-format: env\\.${name}: contains a secret, .*--secret NAME:${name}`));
  expect(err).not.toContain('hunter2');
});

test('a variable has a value or a Secret, not both', async () => {
  const argv = ['--env', 'QUOTA_PUSHGATEWAY_URL=http://push:9091', '--secret', 'receiver:QUOTA_PUSHGATEWAY_URL'];
  const { code, err } = await pinion(['quota', 'manifests', ...withImage, ...argv]);
  expect([code, err]).toEqual([1, expect.stringContaining('duplicate: env.QUOTA_PUSHGATEWAY_URL: is set as a value')]);
});

test('a variable with a list as its value keeps its commas', async () => {
  const env = 'CANARY_DEPLOYMENT_PATHS=synth,controller,CANARY_NAME_SERVER=10.0.0.2,10.0.0.3';
  const { out } = await pinion(['canary', 'manifests', '--image', 'x:1', '-o', 'json', '--env', env]);
  expect(out.replace(/\s+/g, '')).toContain(
    '{"name":"CANARY_NAME_SERVER","value":"10.0.0.2,10.0.0.3"},{"name":"CANARY_DEPLOYMENT_PATHS","value":"synth,controller"}',
  );
});

test.each([
  [['canary'], 'canary requires a subcommand: run, gate or manifests'],
  [['canary', 'sing'], 'unknown subcommand "sing" of canary; use run, gate or manifests'],
  [['canary', 'run', 'now'], 'unexpected argument "now"; usage: pinion canary run [options]'],
  [
    ['canary', 'run', '--kind', 'Deployment'],
    '--kind must be PinterestService, PinterestJobSet, PinterestCronJob, PinterestDaemon, PinterestTrainingJob or PinterestStatefulSet, not "Deployment"',
  ],
  [
    ['canary', 'run', '--deployment-path', 'window'],
    '--deployment-path must be synth, controller or submission, not "window"',
  ],
  [['canary', 'run', '--name-server', 'dns'], '--name-server must be addresses such as 10.96.0.10, not "dns"'],
  [['canary', 'run', '--timeout', 'long'], '--timeout must be a duration from 1s to 10m, not "long"'],
  [['canary', 'gate', '--fresh', 'milk'], '--fresh must be a duration such as 90s, 15m or 6h, not "milk"'],
  [
    ['canary', 'manifests', '--image', 'x:1', '--env', 'url=http://x'],
    '--env must be NAME=VALUE,NAME=VALUE with names such as QUOTA_PUSHGATEWAY_URL, not "url=http://x"',
  ],
  [
    ['canary', 'manifests', '--image', 'x:1', '--env', 'A=1,url=http://x'],
    '--env must be NAME=VALUE,NAME=VALUE with names such as QUOTA_PUSHGATEWAY_URL, not "A=1,url=http://x"',
  ],
  [['canary', 'manifests', '--image', 'x:1', '--secret', 'name'], '--secret must be NAME:KEY,KEY'],
  [['quota', 'manifests', '--image', 'x:1', '--secret', 'Name:KEY'], '--secret must be NAME:KEY,KEY'],
  [['canary', 'manifests'], 'canary manifests requires --image IMAGE'],
])('%j is a usage error', async (argv, words) => {
  const { code, err } = await pinion(argv);
  expect([code, err]).toEqual([2, expect.stringContaining(words)]);
});

test('prints a run as a table with the causes below it', () => {
  const cause = {
    part: 'scheduler',
    owner: 'platform',
    message: 'the scheduler is not running',
    next: 'see it',
  } as const;
  const text = runText({
    id: 'a',
    began: '2026-03-01T10:00:00Z',
    ended: '2026-03-01T10:01:00Z',
    swept: 3,
    profile: 'lean-1',
    cases: [
      {
        kind: 'PinterestService',
        deploymentPath: 'synth',
        state: 'passed',
        steps: [{ step: 'dns', state: 'not-checked', seconds: 0 }],
      },
      {
        kind: 'PinterestService',
        deploymentPath: 'controller',
        state: 'failed',
        steps: [{ step: 'ready', state: 'failed', seconds: 20, cause }],
      },
      {
        kind: 'PinterestService',
        deploymentPath: 'submission',
        state: 'skipped',
        reason: 'no submission service was named',
        steps: [],
      },
    ],
  });
  expect(text).toBe(`KIND              DEPLOYMENT PATH  STATE    TIME    STEP
PinterestService  synth            passed   0.0 s   not checked: dns
PinterestService  controller       failed   20.0 s  ready
PinterestService  submission       skipped  0.0 s   no submission service was named

PinterestService through controller: scheduler (owner: platform)
  the scheduler is not running
  see it

removed 3 objects of a killed run
`);
});
