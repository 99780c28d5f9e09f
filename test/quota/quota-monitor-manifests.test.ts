import { parseManifest, explainProblem, type ManifestInput, type Workload } from '../../lib/api';
import { safeExpand, resolvePlatform } from '../../lib/expand';
import { quotaMonitorManifests, quotaMonitorVariables } from '../../lib/programs';
import { readMonitorSettings } from '../../lib/quota/settings';

const image = 'registry.example.com/pinion/quota:1.0.0';
const objects = quotaMonitorManifests({
  image,
  secret: { name: 'quota-receiver', keys: ['QUOTA_WEBHOOK_URL'] },
  env: { QUOTA_FILLING_PERCENT: '80' },
});
const of = (kind: string): Record<string, unknown> =>
  objects.find((object) => object.kind === kind) as unknown as Record<string, unknown>;

test('the quota monitor is a PinterestCronJob that expands to a CronJob with its own account and a secret reference', () => {
  const workload = parseManifest(of('PinterestCronJob') as unknown as ManifestInput<'PinterestCronJob'>) as Workload;
  const project = parseManifest(of('Project') as unknown as ManifestInput<'Project'>);
  const expanded = safeExpand(workload, resolvePlatform([project]).project('pinion-quota'));
  expect(expanded.problems.map(explainProblem)).toEqual([]);
  const cronJob = expanded.objects?.find(({ kind }) => kind === 'CronJob') as unknown as {
    spec: { jobTemplate: { spec: { template: { spec: Record<string, unknown> } } } };
  };
  const pod = cronJob.spec.jobTemplate.spec.template.spec;
  expect(pod).toMatchObject({ serviceAccountName: 'quota-monitor', automountServiceAccountToken: true });
  expect(pod['containers']).toMatchObject([{ name: 'monitor', securityContext: { readOnlyRootFilesystem: true } }]);
  expect(JSON.stringify(pod).includes('"secretKeyRef":{"key":"QUOTA_WEBHOOK_URL","name":"quota-receiver"}')).toBe(true);
});

test('it may list what it counts, write ConfigMaps in its own namespace, and nothing else', () => {
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
  test('report all problems at once, without any URL', () => {
    const read = readMonitorSettings({
      QUOTA_WEBHOOK_URL: 'ftp://SECRET@hooks.example.com',
      QUOTA_ALERTMANAGER_URL: 'SECRET',
      QUOTA_FILLING_PERCENT: '120',
    });
    const problems = 'problems' in read ? read.problems.map(explainProblem) : [];
    expect(problems).toHaveLength(4);
    expect(problems.join('\n')).not.toContain('SECRET');
  });

  test('allow a webhook or an Alertmanager, not both', () => {
    const url = 'https://hooks.example.com';
    expect(readMonitorSettings({ PINION_PROJECT: 'a', QUOTA_WEBHOOK_URL: url })).toMatchObject({
      settings: { sender: { name: 'webhook' }, thresholds: { filling: 0.85, nearlyFull: 0.92 } },
    });
    expect(
      readMonitorSettings({ PINION_PROJECT: 'a', QUOTA_WEBHOOK_URL: url, QUOTA_ALERTMANAGER_URL: url }),
    ).toMatchObject({
      problems: [{ code: 'invalid-combination', path: ['QUOTA_WEBHOOK_URL'] }],
    });
  });

  test('each have a description', () => {
    for (const sentence of Object.values(quotaMonitorVariables)) expect(sentence).toMatch(/\.$/);
  });
});
