import { parseManifest, explainProblem, type ManifestInput, parseDuration, type Workload } from '../../lib/api';
import { safeExpand, resolvePlatform } from '../../lib/expand';
import { canaryKinds, stepsOf, defaultStepLimits } from '../../lib/operations';
import { defaultBudget } from '../../lib/operations/canary/run-canary';
import { canaryOwnKinds } from '../../lib/operations/canary/workload-objects';
import { readCanarySettings } from '../../lib/operations/canary/canary-settings';
import { resourceOf } from '../../lib/kube';
import { canaryManifests, canaryVariables } from '../../lib/programs';

const image = 'registry.example.com/pinion/canary:1.0.0';
const submission = {
  url: 'https://deploy.example.com',
  artifactStore: 's3://example-artifacts/store',
  target: 'prod-1',
  publisher: {
    issuer: 'https://canary.example.com',
    repository: 'platform/canary',
    ref: 'refs/heads/main',
    keys: ['MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE='],
  },
};
const objects = canaryManifests({ image, submission, secret: { name: 'canary-key', keys: ['CANARY_SIGNING_KEY'] } });
interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}
const rules = objects.flatMap((object) =>
  ((object as { rules?: readonly Rule[] }).rules ?? []).map((rule) => ({ ...rule, of: object })),
);

test('the canary is a PinterestCronJob that expands to a CronJob with its own service account and no concurrent runs', () => {
  const cron = objects.find(({ kind }) => kind === 'PinterestCronJob') as ManifestInput<'PinterestCronJob'>;
  const projects = objects
    .filter(({ kind }) => kind === 'Project')
    .map((project) => parseManifest(project as ManifestInput<'Project'>));
  const expanded = safeExpand(parseManifest(cron) as Workload, resolvePlatform(projects).project('pinion-canary'));
  expect(expanded.problems.map(explainProblem)).toEqual([]);
  const expandedJob = expanded.objects?.find(({ kind }) => kind === 'CronJob') as unknown as {
    spec: { concurrencyPolicy: string; jobTemplate: { spec: { template: { spec: object } } } };
  };
  expect(expandedJob.spec.concurrencyPolicy).toBe('Forbid');
  expect(expandedJob.spec.jobTemplate.spec.template.spec).toMatchObject({
    serviceAccountName: 'canary',
    securityContext: { runAsNonRoot: true, runAsUser: 65532 },
    containers: [{ name: 'canary', securityContext: { readOnlyRootFilesystem: true } }],
    // Longer than an interrupted run waits for deletions.
    terminationGracePeriodSeconds: 60,
  });
});

test('the deadline of a run is long enough to report a cluster where every step times out', () => {
  const cron = objects.find(({ kind }) => kind === 'PinterestCronJob') as ManifestInput<'PinterestCronJob'>;
  const longest = Math.max(
    ...canaryKinds.map((kind) => stepsOf(kind, 'controller').reduce((sum, step) => sum + defaultStepLimits[step], 0)),
  );
  const deadline = (parseDuration(cron.spec.activeDeadline ?? '')?.millis ?? 0) / 1000;
  // Leftovers of killed runs are deleted and the lease is acquired before the first step, and deletions follow the last one.
  expect(deadline).toBeGreaterThan(defaultBudget + longest + 120);
});

test('no rule has a wildcard or allows writes outside its two projects', () => {
  expect(JSON.stringify(rules.map(({ apiGroups, resources, verbs }) => [apiGroups, resources, verbs]))).not.toContain(
    '*',
  );
  const outside = rules.filter(({ of }) => !(of.metadata.namespace ?? '').startsWith('pinion-canary'));
  expect([...new Set(outside.flatMap(({ verbs }) => verbs))].sort()).toEqual(['get', 'list']);
  expect(outside.flatMap(({ resources }) => resources)).not.toContain('secrets');
});

test('can delete everything that a killed run can leave behind', () => {
  const deletes = new Set(rules.filter(({ verbs }) => verbs.includes('delete')).flatMap(({ resources }) => resources));
  for (const kind of canaryOwnKinds) expect([kind, deletes.has(resourceOf(kind).plural)]).toEqual([kind, true]);
  expect(canaryKinds).toHaveLength(6);
});

test('its container has all required settings except the key', () => {
  const cron = objects.find(({ kind }) => kind === 'PinterestCronJob') as ManifestInput<'PinterestCronJob'>;
  const env = cron.spec.template.spec.containers[0]?.env ?? [];
  for (const { name } of env) expect(Object.keys(canaryVariables)).toContain(name);
  const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  expect(
    readCanarySettings({ PINION_PROJECT: 'pinion-canary', CANARY_SIGNING_KEY: 'key', ...variables }),
  ).toMatchObject({
    settings: {
      image,
      sandbox: 'pinion-canary-work',
      nameServers: 'pod',
      submission: { target: 'prod-1', repository: 'platform/canary' },
    },
  });
});
