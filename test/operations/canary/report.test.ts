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
import { metricsCatalog } from '../../../lib/observability';
import { pushCanary } from '../../../lib/operations/canary/canary-metrics';
import { profileVerdict } from '../../../lib/operations/canary/canary-gate';
import { readReport, reportText } from '../../../lib/operations/canary/canary-report';

const start = Date.parse('2026-03-01T10:00:00Z');
const minute = 60_000;
const at = (minutes: number): string => new Date(start + minutes * minute).toISOString();

const testCase = (
  deploymentPath: CanaryCase['deploymentPath'],
  state: CanaryCase['state'],
  message = '',
): CanaryCase => ({
  kind: 'PinterestService',
  deploymentPath,
  state,
  ...(state === 'skipped' && { reason: 'no submission service is configured' }),
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
                message: `the scheduler is not running${message}`,
                next: 'check',
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

test('metrics have the names and labels of the catalog, and failures are counted across runs', async () => {
  const report = reportOf(
    run(0, testCase('synth', 'passed'), testCase('controller', 'failed')),
    run(10, testCase('synth', 'passed'), testCase('controller', 'failed')),
  );
  const text = canaryMetrics(report);
  const linesOf = (name: string): string[] => text.split('\n').filter((line) => line.startsWith(name));
  expect(linesOf('pinion_canary_last_success')).toEqual([
    `pinion_canary_last_success_timestamp_seconds{kind="PinterestService",deployment_path="synth"} ${(start + 10 * minute) / 1000}`,
  ]);
  expect(linesOf('pinion_canary_failures')).toContain(
    'pinion_canary_failures_total{kind="PinterestService",deployment_path="controller",step="ready"} 2',
  );
  expect(linesOf('pinion_canary_failures')).toContain(
    'pinion_canary_failures_total{kind="PinterestService",deployment_path="synth",step="ready"} 0',
  );
  expect(linesOf('pinion_canary_step_duration_seconds').filter((line) => line.includes('controller'))).toEqual([
    'pinion_canary_step_duration_seconds{kind="PinterestService",deployment_path="controller",step="create"} 0.2',
    'pinion_canary_step_duration_seconds{kind="PinterestService",deployment_path="controller",step="ready"} 3',
  ]);
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => `${name} ${type}`);
  const cataloged = metricsCatalog
    .filter(({ name }) => name.startsWith('pinion_canary'))
    .map(({ name, type }) => `${name} ${type}`);
  expect(names.sort()).toEqual(cataloged.sort());
  await Promise.resolve();
});

test.each([
  ['removed', []],
  ['skipped', [testCase('synth', 'skipped')]],
] as const)(
  'a deployment path that is %s is no longer exported: the time of its last success would fire an alert forever',
  (_, rest) => {
    const text = canaryMetrics(
      reportOf(run(0, testCase('synth', 'passed')), run(10, testCase('controller', 'passed'), ...rest)),
    );
    expect(text).toContain('deployment_path="controller"');
    expect(text).not.toContain('deployment_path="synth"');
  },
);

test('metrics are pushed with the job as the grouping key, and no message contains the URL', async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.writeHead(requests.length === 1 ? 200 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gateway = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/SECRET/`);
  expect(await pushCanary(gateway, 'a 1\n', fetch)).toBeUndefined();
  expect(requests).toEqual(['PUT /SECRET/metrics/job/pinion-canary']);
  expect(await pushCanary(gateway, 'a 1\n', fetch)).toBe('the Pushgateway responded with status 503');
  await new Promise((resolve) => server.close(resolve));
  expect(await pushCanary(gateway, 'a 1\n', fetch)).toMatch(/^the Pushgateway is unreachable/);
});

describe('the gate', () => {
  const now = start + 15 * minute;
  test.each<readonly [string, CanaryReport, boolean, RegExp]>([
    ['is closed before the first run', emptyReport, false, /no canary run/],
    ['is open after a passed run', reportOf(run(10, testCase('synth', 'passed'))), true, /^$/],
    [
      'is closed after a failed step',
      reportOf(run(10, testCase('synth', 'failed'))),
      false,
      /ready failed: the scheduler/,
    ],
    [
      'is closed if the latest run is too old',
      reportOf(run(-20, testCase('synth', 'passed'))),
      false,
      /35 minutes ago/,
    ],
    [
      'reopens once the deployment path passes',
      reportOf(run(0, testCase('synth', 'failed')), run(10, testCase('synth', 'passed'))),
      true,
      /^$/,
    ],
    [
      'stays closed because of a failed deployment path that the latest run did not test',
      reportOf(run(0, testCase('synth', 'failed')), run(10, testCase('controller', 'passed'))),
      false,
      /through synth/,
    ],
    [
      'is closed if the last test of a deployment path is stale',
      reportOf(run(-20, testCase('synth', 'passed')), run(10, testCase('controller', 'passed'))),
      false,
      /synth was last tested 35/,
    ],
    [
      'reports skipped deployment paths, which do not count as passed',
      reportOf(run(10, testCase('submission', 'skipped'))),
      false,
      /tested no deployment path/,
    ],
    [
      'stays closed because of a failure if later runs skip the deployment path',
      reportOf(
        run(0, testCase('controller', 'passed'), testCase('submission', 'failed')),
        run(10, testCase('controller', 'passed'), testCase('submission', 'skipped')),
      ),
      false,
      /through submission: ready failed/,
    ],
    [
      'is closed if a deployment path has been skipped since its last test, which is stale',
      reportOf(
        run(-20, testCase('submission', 'passed')),
        run(10, testCase('synth', 'passed'), testCase('submission', 'skipped')),
      ),
      false,
      /submission was last tested 35/,
    ],
    [
      'is open with a deployment path that is unavailable, and reports it',
      reportOf(run(10, testCase('synth', 'passed'), testCase('submission', 'skipped'))),
      true,
      /submission was skipped/,
    ],
  ])('%s', (_, report, isOpen, pattern) => {
    const verdict = evaluateCanaryReport(report, now);
    expect([verdict.isOpen, verdict.reasons.join('; ')]).toEqual([isOpen, expect.stringMatching(pattern)]);
  });
});

describe('the verdict for a runtime profile', () => {
  const both = [testCase('synth', 'passed'), testCase('controller', 'passed')];
  const withOldProfile = (minutes: number, ...cases: readonly CanaryCase[]) => ({
    ...run(minutes, ...cases),
    profile: 'lean-1',
  });
  test.each<readonly [string, CanaryReport, boolean, RegExp]>([
    ['fails before the first run', emptyReport, false, /no canary run/],
    [
      'passes if all deployment paths passed with the profile',
      reportOf(withOldProfile(0, ...both), run(10, ...both)),
      true,
      /^$/,
    ],
    [
      'fails while a deployment path has been tested only with another profile',
      reportOf(withOldProfile(0, ...both), run(10, testCase('synth', 'passed'))),
      false,
      /^PinterestService through controller has not been tested with runtime profile lean-2$/,
    ],
    [
      'fails if that deployment path was skipped with the profile',
      reportOf(
        withOldProfile(0, testCase('synth', 'passed'), testCase('submission', 'passed')),
        run(10, testCase('synth', 'passed'), testCase('submission', 'skipped')),
      ),
      false,
      /through submission has not been tested with/,
    ],
    [
      'passes if several runs together tested all deployment paths',
      reportOf(
        withOldProfile(0, ...both),
        run(10, testCase('synth', 'passed')),
        run(12, testCase('controller', 'passed')),
      ),
      true,
      /^$/,
    ],
    [
      'fails after a failure with the profile',
      reportOf(withOldProfile(0, ...both), run(10, testCase('synth', 'passed'), testCase('controller', 'failed'))),
      false,
      /ready failed/,
    ],
    [
      'ignores failures with another profile',
      reportOf(withOldProfile(0, testCase('synth', 'failed')), run(10, testCase('synth', 'passed'))),
      true,
      /^$/,
    ],
    [
      'passes with a deployment path that was never available',
      reportOf(run(10, ...both, testCase('submission', 'skipped'))),
      true,
      /submission was skipped/,
    ],
  ])('%s', (_, report, isOpen, pattern) => {
    const verdict = profileVerdict(report);
    expect([verdict.isOpen, verdict.reasons.join('; ')]).toEqual([isOpen, expect.stringMatching(pattern)]);
    const { ended = '', profile = '' } = report.runs.at(-1) ?? {};
    expect(verdict).toMatchObject({ ended, profile });
  });
});

test('a report stays within bounds, and keeps its counters when runs are dropped', () => {
  const long = 'x'.repeat(30_000);
  const report = reportOf(
    ...Array.from({ length: 60 }, (_, index) => run(index * 10, testCase('synth', 'failed', long))),
  );
  expect(report.runs.length).toBeLessThanOrEqual(20);
  expect(reportText(report).length).toBeLessThanOrEqual(400_000);
  expect(report.runs.at(-1)?.id).toBe('r590');
  expect(report.failures['PinterestService synth ready']).toBe(60);
  expect(readReport(reportText(report))).toEqual(report);
  for (const text of ['', '{', '[]', '{"runs":[{}],"successes":{},"failures":{}}', undefined])
    expect(readReport(text)).toBeUndefined();
});

test('every kind is created and deleted on every deployment path, and only kinds that Kubernetes can change are changed without the controller', () => {
  for (const kind of canaryKinds)
    for (const path of ['synth', 'controller', 'submission'] as const) {
      const steps = stepsOf(kind, path);
      expect([steps[0], steps.at(-1)]).toEqual(['create', 'delete']);
      const isFixed = path === 'synth' && ['PinterestJobSet', 'PinterestTrainingJob'].includes(kind);
      expect(steps.includes('change')).toBe(!isFixed);
    }
});

test('all invalid settings are reported at once, and none contains a secret', () => {
  const result = readCanarySettings({
    CANARY_KINDS: 'Deployment',
    CANARY_DEPLOYMENT_PATHS: 'window',
    CANARY_STEP_TIMEOUT: '3h',
    CANARY_PUSHGATEWAY_URL: 'ftp://SECRET',
    CANARY_SUBMISSION_URL: 'https://deploy.example.com',
    CANARY_SIGNING_KEY: '',
  });
  const problems = 'problems' in result ? result.problems : [];
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

test('an S3 store without a bucket is rejected', () => {
  const result = readCanarySettings({
    CANARY_SUBMISSION_URL: 'https://deploy.example.com',
    CANARY_ARTIFACT_STORE: 's3://',
  });
  const problems = 'problems' in result ? result.problems : [];
  expect(problems.filter(({ path }) => path[0] === 'CANARY_ARTIFACT_STORE')).toMatchObject([
    { reason: 'is not an artifact store' },
  ]);
});
