import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { complete, explainProblem, type Input, type Workload } from '../../lib/api';
import { examineExpansion, resolve } from '../../lib/expand';
import { watchObjects } from '../../lib/programs';
import { watchRules } from '../../lib/quota';
import { readSettings, variables } from '../../lib/quota/settings';

const image = 'registry.example.com/pinion/quota:1.0.0';
const objects = watchObjects({
  image,
  secret: { name: 'quota-receiver', keys: ['QUOTA_WEBHOOK_URL'] },
  env: { QUOTA_FILLING_PERCENT: '80' },
});
const of = (kind: string): Record<string, unknown> =>
  objects.find((object) => object.kind === kind) as unknown as Record<string, unknown>;

test('the watcher is a PinterestCronJob of the platform that becomes one CronJob with its own account and its secret by name', () => {
  const workload = complete(of('PinterestCronJob') as unknown as Input<'PinterestCronJob'>) as Workload;
  const project = complete(of('Project') as unknown as Input<'Project'>);
  const expanded = examineExpansion(workload, resolve([project]).project('pinion-quota'));
  expect(expanded.problems.map(explainProblem)).toEqual([]);
  const cronJob = expanded.objects?.find(({ kind }) => kind === 'CronJob') as unknown as {
    spec: { jobTemplate: { spec: { template: { spec: Record<string, unknown> } } } };
  };
  const pod = cronJob.spec.jobTemplate.spec.template.spec;
  expect(pod).toMatchObject({ serviceAccountName: 'quota-watch', automountServiceAccountToken: true });
  expect(JSON.stringify(pod).includes('"secretKeyRef":{"key":"QUOTA_WEBHOOK_URL","name":"quota-receiver"}')).toBe(true);
});

test('it may list what it counts, write ConfigMaps of its own namespace, and nothing else', () => {
  const verbs = (kind: string) =>
    (of(kind)['rules'] as { resources: string[]; verbs: string[] }[]).map(
      ({ resources, verbs: allowed }) => `${resources.join()}: ${allowed.join()}`,
    );
  expect(verbs('ClusterRole')).toEqual([
    'namespaces,persistentvolumeclaims,pods,resourcequotas: list',
    'projects: list',
    'pods: list',
  ]);
  expect(verbs('Role')).toEqual(['configmaps: create,get,list,patch,update']);
  expect(of('Role')['metadata']).toMatchObject({ namespace: 'pinion-quota' });
});

describe('settings', () => {
  test('that are wrong are refused all at once, and none shows a URL', () => {
    const read = readSettings({
      QUOTA_WEBHOOK_URL: 'ftp://SECRET@hooks.example.com',
      QUOTA_ALERTMANAGER_URL: 'SECRET',
      QUOTA_FILLING_PERCENT: '120',
    });
    const problems = 'problems' in read ? read.problems.map(explainProblem) : [];
    expect(problems).toHaveLength(4);
    expect(problems.join('\n')).not.toContain('SECRET');
  });

  test('take a webhook or an Alertmanager, not both', () => {
    const url = 'https://hooks.example.com';
    expect(readSettings({ PINION_PROJECT: 'a', QUOTA_WEBHOOK_URL: url })).toMatchObject({
      settings: { sender: { name: 'webhook' }, thresholds: { filling: 0.85, nearlyFull: 0.92 } },
    });
    expect(readSettings({ PINION_PROJECT: 'a', QUOTA_WEBHOOK_URL: url, QUOTA_ALERTMANAGER_URL: url })).toMatchObject({
      problems: [{ code: 'contradiction', path: ['QUOTA_WEBHOOK_URL'] }],
    });
  });

  test('have a sentence each', () => {
    for (const sentence of Object.values(variables)) expect(sentence).toMatch(/\.$/);
  });
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool)
  process.stderr.write("skipped: rules about the watcher; promtool of Debian's package prometheus is not here\n");

(hasPromtool ? test : test.skip)('its rules fire where it fails or is absent, and not where it works', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-rules-'));
  try {
    const series = 'kube_cronjob_status_last_successful_time{namespace="pinion-quota",cronjob="quota-watch"}';
    const alerts = (time: string, name: string, fires: boolean) => ({
      eval_time: time,
      alertname: name,
      exp_alerts: fires
        ? [
            {
              exp_labels: {
                severity: 'warning',
                team: 'platform',
                ...(name === 'QuotaWatchAbsent' && { namespace: 'pinion-quota', cronjob: 'quota-watch' }),
              },
              exp_annotations: watchRules().groups[0]?.rules.find(({ alert }) => alert === name)?.annotations,
            },
          ]
        : [],
    });
    const suite = {
      rule_files: ['rules.json'],
      tests: [
        {
          interval: '1m',
          // It succeeds at each look until 2 h, and never after.
          input_series: [{ series, values: '0+60x120 7200x180' }],
          alert_rule_test: [
            alerts('2h', 'QuotaWatchFails', false),
            alerts('3h', 'QuotaWatchFails', false),
            alerts('3h30m', 'QuotaWatchFails', true),
            alerts('3h30m', 'QuotaWatchAbsent', false),
          ],
        },
        {
          interval: '1m',
          input_series: [{ series: 'up', values: '1x180' }],
          alert_rule_test: [alerts('30m', 'QuotaWatchAbsent', false), alerts('2h', 'QuotaWatchAbsent', true)],
        },
      ],
    };
    writeFileSync(join(folder, 'rules.json'), JSON.stringify(watchRules()));
    writeFileSync(join(folder, 'test.json'), JSON.stringify(suite));
    const ran = spawnSync('promtool', ['test', 'rules', 'test.json'], { cwd: folder, encoding: 'utf8' });
    expect(`${ran.stdout}${ran.stderr}`).toContain('SUCCESS');
    expect(ran.status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
