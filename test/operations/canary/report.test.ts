import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import {
  canaryMetrics,
  type CanaryCase,
  canaryKinds,
  type CanaryReport,
  type CanaryRun,
  evaluateCanaryReport,
  emptyReport,
  readCanarySettings,
  stepsOf,
  withRun,
} from '../../../lib/operations';
import { catalogue } from '../../../lib/observability';
import { pushCanary } from '../../../lib/operations/canary/canary-metrics';
import { profileVerdict } from '../../../lib/operations/canary/canary-gate';
import { readReport, reportText } from '../../../lib/operations/canary/canary-report';

const begin = Date.parse('2026-03-01T10:00:00Z');
const minute = 60_000;
const at = (minutes: number): string => new Date(begin + minutes * minute).toISOString();

const look = (door: CanaryCase['door'], state: CanaryCase['state'], message = ''): CanaryCase => ({
  kind: 'PinterestService',
  door,
  state,
  ...(state === 'skipped' && { reason: 'no submission service was named' }),
  steps:
    state === 'skipped'
      ? []
      : [
          { step: 'create', state: 'passed', seconds: 0.2 },
          {
            step: 'ready',
            state: state === 'failed' ? 'failed' : 'passed',
            seconds: 3,
            ...(state === 'failed' && {
              cause: {
                part: 'scheduler',
                owner: 'platform',
                message: `the scheduler does not run${message}`,
                next: 'look',
              },
            }),
          },
        ],
});
const run = (minutes: number, ...cases: readonly CanaryCase[]): CanaryRun => ({
  id: `r${minutes}`,
  began: at(minutes - 1),
  ended: at(minutes),
  profile: 'lean-2',
  swept: 0,
  cases,
});
const reportOf = (...runs: readonly CanaryRun[]): CanaryReport => runs.reduce(withRun, emptyReport);

test('metrics have the names and labels of the catalogue, failures are counted over runs', async () => {
  const report = reportOf(
    run(0, look('synth', 'passed'), look('controller', 'failed')),
    run(10, look('synth', 'passed'), look('controller', 'failed')),
  );
  const text = canaryMetrics(report);
  const told = (name: string): string[] => text.split('\n').filter((line) => line.startsWith(name));
  expect(told('pinion_canary_last_success')).toEqual([
    `pinion_canary_last_success_timestamp_seconds{kind="PinterestService",deployment_path="synth"} ${(begin + 10 * minute) / 1000}`,
  ]);
  expect(told('pinion_canary_failures')).toContain(
    'pinion_canary_failures_total{kind="PinterestService",deployment_path="controller",step="ready"} 2',
  );
  expect(told('pinion_canary_failures')).toContain(
    'pinion_canary_failures_total{kind="PinterestService",deployment_path="synth",step="ready"} 0',
  );
  expect(told('pinion_canary_step_duration_seconds').filter((line) => line.includes('controller'))).toEqual([
    'pinion_canary_step_duration_seconds{kind="PinterestService",deployment_path="controller",step="create"} 0.2',
    'pinion_canary_step_duration_seconds{kind="PinterestService",deployment_path="controller",step="ready"} 3',
  ]);
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => `${name} ${type}`);
  const known = catalogue
    .filter(({ name }) => name.startsWith('pinion_canary'))
    .map(({ name, type }) => `${name} ${type}`);
  expect(names.sort()).toEqual(known.sort());
  await Promise.resolve();
});

test.each([
  ['taken away', []],
  ['skipped', [look('synth', 'skipped')]],
] as const)(
  'a door that is %s is exported no more: the time of its last success would be an alarm for ever',
  (_, rest) => {
    const text = canaryMetrics(
      reportOf(run(0, look('synth', 'passed')), run(10, look('controller', 'passed'), ...rest)),
    );
    expect(text).toContain('deployment_path="controller"');
    expect(text).not.toContain('deployment_path="synth"');
  },
);

test('a Pushgateway is told by its job, and its URL is in no message', async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.writeHead(seen.length === 1 ? 200 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gateway = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/SECRET/`);
  expect(await pushCanary(gateway, 'a 1\n', fetch)).toBeUndefined();
  expect(seen).toEqual(['PUT /SECRET/metrics/job/pinion-canary']);
  expect(await pushCanary(gateway, 'a 1\n', fetch)).toBe('the Pushgateway answered with status 503');
  await new Promise((resolve) => server.close(resolve));
  expect(await pushCanary(gateway, 'a 1\n', fetch)).toMatch(/^the Pushgateway cannot be reached/);
});

describe('the gate', () => {
  const now = begin + 15 * minute;
  test.each<readonly [string, CanaryReport, boolean, RegExp]>([
    ['is closed before the first run', emptyReport, false, /no run/],
    ['is open after a good run', reportOf(run(10, look('synth', 'passed'))), true, /^$/],
    [
      'is closed by a step that failed',
      reportOf(run(10, look('synth', 'failed'))),
      false,
      /ready failed: the scheduler/,
    ],
    ['is closed by a run that is too old', reportOf(run(-20, look('synth', 'passed'))), false, /35 minutes ago/],
    [
      'opens again once the door is gone through',
      reportOf(run(0, look('synth', 'failed')), run(10, look('synth', 'passed'))),
      true,
      /^$/,
    ],
    [
      'stays closed by a door that only another run looked at',
      reportOf(run(0, look('synth', 'failed')), run(10, look('controller', 'passed'))),
      false,
      /through synth/,
    ],
    [
      'is closed by a door that nobody looked at for long',
      reportOf(run(-20, look('synth', 'passed')), run(10, look('controller', 'passed'))),
      false,
      /synth was last looked at 35/,
    ],
    [
      'tells what was skipped, which is no success',
      reportOf(run(10, look('submission', 'skipped'))),
      false,
      /went through no door/,
    ],
    [
      'stays closed by a failure beyond which a run that skips the door does not look',
      reportOf(
        run(0, look('controller', 'passed'), look('submission', 'failed')),
        run(10, look('controller', 'passed'), look('submission', 'skipped')),
      ),
      false,
      /through submission: ready failed/,
    ],
    [
      'is closed by a door that is only skipped since its last look, which is old',
      reportOf(run(-20, look('submission', 'passed')), run(10, look('synth', 'passed'), look('submission', 'skipped'))),
      false,
      /submission was last looked at 35/,
    ],
    [
      'is open beside a door that is not there, and says so',
      reportOf(run(10, look('synth', 'passed'), look('submission', 'skipped'))),
      true,
      /submission was skipped/,
    ],
  ])('%s', (_, report, isOpen, words) => {
    const verdict = evaluateCanaryReport(report, now);
    expect([verdict.isOpen, verdict.reasons.join('; ')]).toEqual([isOpen, expect.stringMatching(words)]);
  });
});

describe('what the controller is told', () => {
  const both = [look('synth', 'passed'), look('controller', 'passed')];
  const before = (minutes: number, ...cases: readonly CanaryCase[]) => ({
    ...run(minutes, ...cases),
    profile: 'lean-1',
  });
  test.each<readonly [string, CanaryReport, boolean, RegExp]>([
    ['is closed before the first run', emptyReport, false, /no run/],
    [
      'is open where all doors were gone through with the profile',
      reportOf(before(0, ...both), run(10, ...both)),
      true,
      /^$/,
    ],
    [
      'is closed while a door was gone through with another profile only',
      reportOf(before(0, ...both), run(10, look('synth', 'passed'))),
      false,
      /^PinterestService through controller was not looked at with the runtime profile lean-2$/,
    ],
    [
      'is closed where that door was skipped with the profile',
      reportOf(
        before(0, look('synth', 'passed'), look('submission', 'passed')),
        run(10, look('synth', 'passed'), look('submission', 'skipped')),
      ),
      false,
      /through submission was not looked at with/,
    ],
    [
      'is open where several runs went through all',
      reportOf(before(0, ...both), run(10, look('synth', 'passed')), run(12, look('controller', 'passed'))),
      true,
      /^$/,
    ],
    [
      'is closed by what fails with the profile',
      reportOf(before(0, ...both), run(10, look('synth', 'passed'), look('controller', 'failed'))),
      false,
      /ready failed/,
    ],
    [
      'forgets what failed with another profile',
      reportOf(before(0, look('synth', 'failed')), run(10, look('synth', 'passed'))),
      true,
      /^$/,
    ],
    [
      'is open beside a door that never was there',
      reportOf(run(10, ...both, look('submission', 'skipped'))),
      true,
      /submission was skipped/,
    ],
  ])('%s', (_, report, isOpen, words) => {
    const verdict = profileVerdict(report);
    expect([verdict.isOpen, verdict.reasons.join('; ')]).toEqual([isOpen, expect.stringMatching(words)]);
    const { ended = '', profile = '' } = report.runs.at(-1) ?? {};
    expect(verdict).toMatchObject({ ended, profile });
  });
});

test('a report stays within bounds, and keeps its counts when runs go', () => {
  const long = 'x'.repeat(30_000);
  const report = reportOf(...Array.from({ length: 60 }, (_, index) => run(index * 10, look('synth', 'failed', long))));
  expect(report.runs.length).toBeLessThanOrEqual(20);
  expect(reportText(report).length).toBeLessThanOrEqual(400_000);
  expect(report.runs.at(-1)?.id).toBe('r590');
  expect(report.failures['PinterestService synth ready']).toBe(60);
  expect(readReport(reportText(report))).toEqual(report);
  for (const text of ['', '{', '[]', '{"runs":[{}],"successes":{},"failures":{}}', undefined])
    expect(readReport(text)).toBeUndefined();
});

test('every kind is made and deleted through every door, and only what Kubernetes can change is changed without the controller', () => {
  for (const kind of canaryKinds)
    for (const door of ['synth', 'controller', 'submission'] as const) {
      const steps = stepsOf(kind, door);
      expect([steps[0], steps.at(-1)]).toEqual(['create', 'delete']);
      const isFixed = door === 'synth' && ['PinterestJobSet', 'PinterestTrainingJob'].includes(kind);
      expect(steps.includes('change')).toBe(!isFixed);
    }
});

test('settings that are wrong are refused all at once, and none shows a key', () => {
  const read = readCanarySettings({
    CANARY_KINDS: 'Deployment',
    CANARY_DEPLOYMENT_PATHS: 'window',
    CANARY_STEP_TIMEOUT: '3h',
    CANARY_PUSHGATEWAY_URL: 'ftp://SECRET',
    CANARY_SUBMISSION_URL: 'https://deploy.example.com',
    CANARY_SIGNING_KEY: '',
  });
  const problems = 'problems' in read ? read.problems : [];
  expect(problems.map(({ path }) => path[0])).toEqual([
    'PINION_PROJECT',
    'CANARY_SANDBOX',
    'CANARY_IMAGE',
    'CANARY_KINDS',
    'CANARY_DEPLOYMENT_PATHS',
    'CANARY_STEP_TIMEOUT',
    'CANARY_PUSHGATEWAY_URL',
    'CANARY_SUBMISSION_TOKEN_FILE',
    'CANARY_ARTIFACT_STORE',
    'CANARY_SIGNING_KEY',
    'CANARY_ISSUER',
    'CANARY_REPOSITORY',
    'CANARY_TARGET',
  ]);
  expect(JSON.stringify(problems)).not.toContain('SECRET');
});

test('a store in S3 without a bucket is refused', () => {
  const read = readCanarySettings({
    CANARY_SUBMISSION_URL: 'https://deploy.example.com',
    CANARY_ARTIFACT_STORE: 's3://',
  });
  const problems = 'problems' in read ? read.problems : [];
  expect(problems.filter(({ path }) => path[0] === 'CANARY_ARTIFACT_STORE')).toMatchObject([{ reason: 'is no store' }]);
});
