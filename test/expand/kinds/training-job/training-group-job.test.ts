import { parseManifest, expand, resolvePlatform, type KubernetesObject } from '@pinion-platform/pinion';
import { checkNative, isTypeName, type Problem, type SpecInput } from '@pinion-platform/pinion/api';
import { needsController } from '../../../../lib/expand/needs-controller';

type TrainingSpec = SpecInput<'PinterestTrainingJob'>;

const template = { spec: { containers: [{ name: 'train', image: 'registry.example.com/ads/ranker:1.0.0' }] } };
const platform = (fields: object = {}) =>
  parseManifest({
    apiVersion: 'pinterest.com/v1',
    kind: 'Platform',
    metadata: { name: 'cluster' },
    spec: {
      cluster: 'main',
      domain: 'apps.example.com',
      tiers: [{ name: 'standard', priority: 1000 }],
      defaultTier: 'standard',
      defaultPool: 'general',
      pools: [
        { name: 'general', nodeSelector: { pool: 'general' } },
        { name: 'gpu', nodeSelector: { pool: 'gpu' }, accelerators: ['nvidia.com/gpu'] },
        { name: 'bare', nodeSelector: { pool: 'bare' }, accelerators: ['nvidia.com/gpu'] },
      ],
      resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
      ...fields,
    },
  });

function jobsOf(spec: Partial<TrainingSpec>, fields: object = {}) {
  const { objects, needs } = meaningOf(spec, fields);
  const jobs = objects.filter(({ kind }) => kind === 'Job');
  return { jobs: Object.fromEntries(jobs.map((job) => [job.metadata.name, job['spec'] as JobSpec])), objects, needs };
}

interface JobSpec {
  readonly [field: string]: unknown;
  readonly template: { readonly spec: { readonly nodeSelector?: object; readonly containers: readonly object[] } };
}

function meaningOf(
  spec: Partial<TrainingSpec>,
  fields: object,
): { objects: readonly KubernetesObject[]; needs: Problem[] } {
  const workload = parseManifest({
    apiVersion: 'pinterest.com/v1',
    kind: 'PinterestTrainingJob',
    metadata: { name: 'ranker', namespace: 'ads' },
    spec: { framework: 'pytorch', roles: { worker: { replicas: 4 } }, template, ...spec },
  });
  const context = resolvePlatform([platform(fields)]).project('ads');
  const objects = expand(workload, context);
  const problems: Problem[] = [];
  for (const object of objects)
    if (isTypeName(object.kind)) checkNative(object.kind, object, [], (problem) => problems.push(problem));
  expect(problems).toEqual([]);
  return { objects, needs: needsController(workload, context) };
}

const evictions = { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] };

describe('restart', () => {
  const ranker = (restart: 'Always' | 'OnFailure' | 'Never' | 'ExitCode') =>
    jobsOf({ roles: { worker: { replicas: 2, restartPolicy: restart } }, retries: 5 }).jobs['ranker'];

  test('OnFailure gives every member its retries, and evictions do not count', () =>
    expect(ranker('OnFailure')).toMatchObject({
      backoffLimitPerIndex: 5,
      maxFailedIndexes: 0,
      podFailurePolicy: { rules: [evictions] },
    }));

  test('Always has no limit', () => expect(ranker('Always')).toMatchObject({ backoffLimitPerIndex: 2147483647 }));

  test('Never restarts nothing, not even after an eviction', () => {
    expect(ranker('Never')).toMatchObject({ backoffLimitPerIndex: 0 });
    expect(ranker('Never')).not.toHaveProperty('podFailurePolicy');
  });

  test('ExitCode fails the job for exit codes 1 to 127 of the first container, and retries from 128 on', () =>
    expect(ranker('ExitCode')).toMatchObject({
      backoffLimitPerIndex: 5,
      podFailurePolicy: {
        rules: [
          evictions,
          {
            action: 'FailJob',
            onExitCodes: {
              containerName: 'train',
              operator: 'In',
              values: Array.from({ length: 127 }, (_, index) => index + 1),
            },
          },
        ],
      },
    }));
});

describe('completion', () => {
  test('a single Job completes with its leader', () => {
    const { jobs, needs } = jobsOf({});
    expect(jobs['ranker']).toMatchObject({ successPolicy: { rules: [{ succeededIndexes: '0' }] } });
    expect(needs).toEqual([]);
  });

  test('with the AllWorkers policy, it waits for all workers', () =>
    expect(jobsOf({ successPolicy: 'AllWorkers' }).jobs['ranker']).not.toHaveProperty('successPolicy'));

  test('without pod cleanup, the leader terminates no pods', () => {
    const { jobs, needs } = jobsOf({ cleanPodPolicy: 'None' });
    expect(jobs['ranker']).not.toHaveProperty('successPolicy');
    expect(needs.map(({ path }) => path.join('.'))).toEqual(['spec.cleanPodPolicy']);
  });

  test('activeDeadline, ttlAfterFinished and suspend are those of every Job', () => {
    const { jobs, needs } = jobsOf({
      framework: 'tensorflow',
      roles: { chief: {}, worker: {} },
      successPolicy: 'AllWorkers',
      activeDeadline: '90m',
      ttlAfterFinished: '2h',
      suspend: true,
    });
    expect(Object.keys(jobs)).toEqual(['ranker-chief', 'ranker-worker']);
    for (const job of Object.values(jobs))
      expect(job).toMatchObject({ activeDeadlineSeconds: 5400, ttlSecondsAfterFinished: 7200, suspend: true });
    expect(needs).toEqual([]);
  });

  test('an elastic job fails only when fewer than its minimum are left', () =>
    expect(jobsOf({ elastic: { minReplicas: 3, maxReplicas: 6 } }).jobs['ranker']).toMatchObject({
      maxFailedIndexes: 1,
    }));
});

describe('accelerators', () => {
  const accelerators = { count: 2 };
  const poolOf = (spec: Partial<TrainingSpec>, fields: object = {}) =>
    jobsOf({ accelerators, ...spec }, fields).jobs['ranker']?.template.spec.nodeSelector;

  test('members run in the first pool that has them', () => expect(poolOf({})).toEqual({ pool: 'gpu' }));

  test('the default pool is preferred if it has them', () =>
    expect(poolOf({}, { defaultPool: 'bare' })).toEqual({ pool: 'bare' }));

  test('an explicit pool is kept', () => expect(poolOf({ placement: { pool: 'bare' } })).toEqual({ pool: 'bare' }));

  test('roles without accelerators stay in the default pool', () => {
    const { jobs } = jobsOf({ accelerators, framework: 'tensorflow', roles: { worker: {}, ps: {} } });
    expect(jobs['ranker-worker']?.template.spec.nodeSelector).toEqual({ pool: 'gpu' });
    expect(jobs['ranker-ps']?.template.spec.nodeSelector).toEqual({ pool: 'general' });
  });

  test('an explicit number of a container takes precedence', () => {
    const resources = { limits: { 'nvidia.com/gpu': 1 } };
    const own = {
      spec: { containers: [{ name: 'train', image: 'registry.example.com/ads/ranker:1.0.0', resources }] },
    };
    expect(jobsOf({ accelerators, template: own }).jobs['ranker']?.template.spec.containers[0]).toMatchObject({
      resources: { limits: { 'nvidia.com/gpu': '1' }, requests: { 'nvidia.com/gpu': '1' } },
    });
  });

  test('a role without them makes separate Jobs of the PyTorch master role and workers', () =>
    expect(
      Object.keys(jobsOf({ accelerators: { count: 1, roles: ['worker'] }, roles: { master: {}, worker: {} } }).jobs),
    ).toEqual(['ranker-master', 'ranker-worker']));
});

describe('shared memory', () => {
  const limitOf = (resources: object) => {
    const own = { spec: { containers: [{ ...template.spec.containers[0], name: 'train', resources }] } };
    const [container] = jobsOf({ sharedMemory: '1Gi', template: own }).jobs['ranker']?.template.spec.containers as [
      { resources: { limits: { memory: string } } },
    ];
    return container.resources.limits.memory;
  };

  test('is added to the default limit', () => {
    expect(limitOf({})).toBe('1280Mi');
    expect(limitOf({ requests: { memory: '64Mi' } })).toBe('1280Mi');
    expect(limitOf({ requests: { memory: '2Gi' } })).toBe('3Gi');
  });

  test('is within an explicit limit', () => expect(limitOf({ limits: { memory: '2Gi' } })).toBe('2Gi'));
});

test('templates that differ only in order are equal', () => {
  const { name, image } = { name: 'train', image: 'registry.example.com/ads/ranker:1.0.0' };
  const master = { template: { spec: { containers: [{ name, image }] } } };
  const worker = { template: { spec: { containers: [{ image, name }] } } };
  expect(Object.keys(jobsOf({ roles: { master, worker } }).jobs)).toEqual(['ranker']);
});

describe('a gang', () => {
  test('is scheduled by the scheduler if it supports gangs, and by the controller otherwise', () => {
    expect(jobsOf({ gang: {} }).needs.map(({ path }) => path.join('.'))).toEqual(['spec.gang']);
    expect(jobsOf({ gang: {} }, { gangScheduling: true }).needs).toEqual([]);
    expect(jobsOf({ gang: {} }, { gangScheduling: true, kubernetesVersion: '1.35' }).needs).toHaveLength(1);
  });

  test('contains all members by default', () => {
    const { objects } = jobsOf({ gang: {} }, { gangScheduling: true });
    expect(objects.find(({ kind }) => kind === 'PodGroup')?.['spec']).toEqual({
      schedulingPolicy: { gang: { minCount: 4 } },
    });
  });
});

test('shared ConfigMaps of roles are created once', () => {
  const { objects } = jobsOf({
    framework: 'tensorflow',
    roles: { chief: {}, worker: {}, ps: {} },
    config: { files: { '/etc/app/model.yaml': 'layers: 4\n' } },
  });
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => name.startsWith('ConfigMap ranker-config-'))).toHaveLength(1);
});
