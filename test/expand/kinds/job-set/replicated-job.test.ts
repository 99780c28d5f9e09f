import { parseManifest, type ManifestInput, type Workload } from '../../../../lib/api';
import { expand, replicaName, replicaOfMember, workloadFootprint } from '../../../../lib/expand';
import { makeProjectContext, makeReplicatedJobSet, podOf, problemsOf } from '../../../../lib/testing';

type Spec = ManifestInput<'PinterestJobSet'>['spec'];
type Job = NonNullable<Spec['replicatedJobs']>[number];

const job = (name: string, fields: Partial<Job> = {}, pod: object = {}): Job => ({
  name,
  template: {
    spec: { containers: [{ name: 'app', image: `registry.example.com/${name}:1.0.0` }], ...pod },
  },
  ...fields,
});
const manifest = (jobs: readonly Job[], spec: Partial<Spec> = {}) =>
  makeReplicatedJobSet({ ...spec, replicatedJobs: [...jobs] });
const jobsOf = (input: ManifestInput) =>
  expand(parseManifest(input) as Workload, makeProjectContext())
    .filter(({ kind }) => kind === 'Job')
    .map((object) => ({ object, spec: object['spec'] as Readonly<Record<string, unknown>> }));

test('fields of a job take precedence over those of the set, and the shorter deadline counts', () => {
  const rules = [{ action: 'FailJob' as const, onExitCodes: { operator: 'In' as const, values: [42] } }];
  const [own, inherited] = jobsOf(
    manifest([job('driver', { retries: 0, activeDeadline: '2h' }), job('workers', { podFailurePolicy: { rules } })], {
      retries: 5,
      activeDeadline: '1h',
    }),
  );
  expect(own?.spec).toMatchObject({ backoffLimitPerIndex: 0, activeDeadlineSeconds: 3600 });
  expect(inherited?.spec).toMatchObject({
    backoffLimitPerIndex: 5,
    podFailurePolicy: { rules },
    podReplacementPolicy: 'Failed',
  });
});

test('pods have the version and the image of their own template', () => {
  const [, workers] = jobsOf(
    manifest([
      job('driver'),
      job('workers', {
        template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/workers:2.0.0' }] } },
      }),
    ]),
  );
  const { metadata } = workers?.spec['template'] as {
    metadata: { labels: Record<string, string>; annotations: Record<string, string> };
  };
  expect(metadata.labels['app.kubernetes.io/version']).toBe('2.0.0');
  expect(metadata.annotations['pinterest.com/image']).toBe('registry.example.com/workers:2.0.0');
});

test('an exclusive topology adds to the affinity of the template', () => {
  const own = {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'cache' } } },
      ],
    },
  };
  const [slice] = jobsOf(
    manifest([job('slice', { exclusiveTopology: 'topology.kubernetes.io/zone' }, { affinity: own })]),
  );
  const { affinity, topologySpreadConstraints } = podOf(slice ? [slice.object] : []).spec ?? {};
  expect(affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toHaveLength(2);
  expect(affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toMatchObject([
    { topologyKey: 'topology.kubernetes.io/zone', namespaceSelector: {} },
  ]);
  expect(topologySpreadConstraints).toBeUndefined();
});

test('a part can mount a volume only if every job has it', () => {
  const volumes = [{ name: 'logs', emptyDir: {} }];
  const mounts = { sidecars: { logs: { mounts: [{ name: 'logs', mountPath: '/logs' }] } } };
  const problems = (second: object) =>
    problemsOf(manifest([job('driver', {}, { volumes }), job('workers', {}, second)], mounts)).filter(
      ({ code }) => code === 'unknown-reference',
    );
  expect(problems({ volumes })).toEqual([]);
  expect(problems({})).toMatchObject([{ path: ['spec', 'sidecars', 'logs', 'mounts', 0, 'name'], value: 'logs' }]);
});

test('the footprint counts the pods of all replicas that run at once', () => {
  const input = manifest([job('driver'), job('workers', { replicas: 3, shards: 4, parallelism: 2 })]);
  const workload = parseManifest(input) as Workload;
  const { pods } = workloadFootprint(workload, expand(workload, makeProjectContext()));
  expect(pods?.nanos).toBe(7_000_000_000n);
});

test('names of Jobs are those that the controller looks for', () => {
  const workload = parseManifest(manifest([job('long-name-of-a-job-with-dashes-1', { replicas: 2 })])) as Workload;
  const jobs = jobsOf(manifest([job('long-name-of-a-job-with-dashes-1', { replicas: 2 })]));
  for (const { object } of jobs) {
    const { job: name, replica } = replicaOfMember(object.metadata.labels?.['pinterest.com/member'] ?? '');
    expect(replicaName(workload, name, replica)).toBe(object.metadata.name);
  }
  expect(jobs).toHaveLength(2);
});
