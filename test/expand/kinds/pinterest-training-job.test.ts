import fc from 'fast-check';
import { type EnvVar, type SpecInput } from '@pinion-platform/pinion/api';
import { parseManifest, expand, resolvePlatform, type KubernetesObject } from '@pinion-platform/pinion';

type TrainingSpec = SpecInput<'PinterestTrainingJob'>;
interface JobSpec {
  readonly completions: number;
  readonly maxFailedIndexes: number;
  readonly template: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly spec: { readonly subdomain?: string; readonly containers: readonly { readonly env: readonly EnvVar[] }[] };
  };
}

const template = { spec: { containers: [{ name: 'train', image: 'registry.example.com/ads/ranker:1.0.0' }] } };
const otherTemplate = { spec: { containers: [{ name: 'lead', image: 'registry.example.com/ads/leader:1.0.0' }] } };

function objectsOf(spec: TrainingSpec, name = 'ranker', namespace = 'ads'): readonly KubernetesObject[] {
  const workload = parseManifest({
    apiVersion: 'pinterest.com/v1',
    kind: 'PinterestTrainingJob',
    metadata: { name, namespace },
    spec: { template, ...spec },
  });
  return expand(workload, resolvePlatform([]).project(namespace));
}

/** A pod at run time: host name, DNS name, and the variables of its first container. */
interface Member {
  readonly job: string;
  readonly index: number;
  readonly dnsName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

const indexPath = "metadata.annotations['batch.kubernetes.io/job-completion-index']";

/** Creates pods as the Job controller and the kubelet do: a pod for each index, with variables expanded from earlier ones. */
function membersOf(objects: readonly KubernetesObject[], namespace = 'ads'): Member[] {
  return objects
    .filter(({ kind }) => kind === 'Job')
    .flatMap(({ metadata, ...job }) => {
      const { completions, template: pod } = job['spec'] as JobSpec;
      return Array.from({ length: completions }, (_, index) => ({
        job: metadata.name,
        index,
        dnsName: `${metadata.name}-${index}.${pod.spec.subdomain ?? '(none)'}.${namespace}.svc`,
        labels: pod.metadata.labels,
        env: variablesOf(pod.spec.containers[0]?.env ?? [], index),
      }));
    });
}

function variablesOf(env: readonly EnvVar[], index: number): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const { name, value, valueFrom } of env) {
    if (valueFrom === undefined)
      seen[name] = (value ?? '').replace(/\$\(([A-Za-z_]\w*)\)/g, (text, other: string) => seen[other] ?? text);
    else if (valueFrom.fieldRef?.fieldPath === indexPath) seen[name] = String(index);
  }
  return seen;
}

const members = fc.integer({ min: 1, max: 40 });
const port = fc.integer({ min: 1, max: 65535 });
const name = fc.stringMatching(/^[a-z][a-z0-9]([-a-z0-9]{0,80}[a-z0-9])?$/);

describe('the rendezvous of PyTorch', () => {
  const hasMaster = fc.boolean();

  test('every member has its own rank, and all meet at member 0', () => {
    fc.assert(
      fc.property(members, hasMaster, port, name, (workers, master, at, workload) => {
        const roles = { worker: { replicas: workers }, ...(master && { master: {} }) };
        const all = membersOf(objectsOf({ framework: 'pytorch', roles, port: at }, workload));
        const size = workers + (master ? 1 : 0);
        expect(all.map(({ env }) => env['RANK'])).toEqual(Array.from({ length: size }, (_, rank) => String(rank)));
        const leader = size === 1 ? 'localhost' : all[0]?.dnsName;
        for (const { env, index } of all) {
          expect(env).toMatchObject({
            WORLD_SIZE: String(size),
            MASTER_ADDR: leader,
            MASTER_PORT: String(at),
            PET_NNODES: String(size),
            PET_NODE_RANK: String(index),
            PET_NPROC_PER_NODE: '1',
            PET_MASTER_ADDR: leader,
            PET_MASTER_PORT: String(at),
          });
          expect(env).not.toHaveProperty('PET_RDZV_BACKEND');
        }
      }),
      { numRuns: 60 },
    );
  });

  test('if torchrun starts several processes, members have a node rank and torchrun assigns ranks', () => {
    fc.assert(
      fc.property(members, fc.integer({ min: 2, max: 16 }), fc.boolean(), (workers, processes, byAccelerators) => {
        const how = byAccelerators
          ? { accelerators: { count: processes, resource: 'nvidia.com/gpu' } }
          : { processesPerNode: processes };
        const all = membersOf(
          unoffered({ framework: 'pytorch', roles: { worker: { replicas: workers } }, ...how }, byAccelerators),
        );
        expect(all.map(({ env }) => env['PET_NODE_RANK'])).toEqual(all.map(({ index }) => String(index)));
        for (const { env } of all) {
          expect(env['PET_NPROC_PER_NODE']).toBe(String(processes));
          expect(env).not.toHaveProperty('RANK');
          expect(env).not.toHaveProperty('WORLD_SIZE');
        }
      }),
      { numRuns: 30 },
    );
  });

  test('a master with another template and an elastic job use the host name of an existing member', () => {
    fc.assert(
      fc.property(members, fc.boolean(), fc.boolean(), name, (workers, master, elastic, workload) => {
        fc.pre(master || elastic);
        const size = workers + (master ? 1 : 0);
        const objects = objectsOf(
          {
            framework: 'pytorch',
            roles: { worker: { replicas: workers }, ...(master && { master: { template: otherTemplate } }) },
            ...(elastic && { elastic: { minReplicas: 1, maxReplicas: size + 3 } }),
          },
          workload,
        );
        const all = membersOf(objects);
        expect(all).toHaveLength(size);
        const [host] = (all[0]?.env['PET_RDZV_ENDPOINT'] ?? '').split(':');
        const store = all.find(({ job, index }) => `${job}-${index}` === host);
        expect(store?.index).toBe(0);
        expect(selected(objects, host ?? '', all)).toEqual([store]);
        for (const { env } of all) {
          expect(env).toMatchObject({
            PET_NNODES: elastic ? `1:${size + 3}` : String(size),
            PET_RDZV_BACKEND: 'c10d',
            PET_RDZV_ENDPOINT: `${host}:23456`,
            PET_RDZV_ID: workload,
          });
          expect(env).not.toHaveProperty('RANK');
          expect(env).not.toHaveProperty('PET_NODE_RANK');
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** Objects of a job with accelerators, on a Platform that has them. */
function unoffered(spec: TrainingSpec, accelerated: boolean): readonly KubernetesObject[] {
  if (!accelerated) return objectsOf(spec);
  const platform = parseManifest({
    apiVersion: 'pinterest.com/v1',
    kind: 'Platform',
    metadata: { name: 'cluster' },
    spec: {
      cluster: 'main',
      domain: 'apps.example.com',
      tiers: [{ name: 'standard', priority: 1000 }],
      defaultTier: 'standard',
      pools: [{ name: 'gpu', accelerators: ['nvidia.com/gpu'] }],
      resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    },
  });
  const workload = parseManifest({
    apiVersion: 'pinterest.com/v1',
    kind: 'PinterestTrainingJob',
    metadata: { name: 'ranker', namespace: 'ads' },
    spec: { template, ...spec },
  });
  return expand(workload, resolvePlatform([platform]).project('ads'));
}

/** Members whose pods a Service selects. */
function selected(objects: readonly KubernetesObject[], service: string, all: readonly Member[]): Member[] {
  const found = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === service);
  const { selector } = (found?.['spec'] ?? {}) as { selector?: Record<string, string> };
  return all.filter(({ labels, index }) => {
    const carried: Record<string, string> = { ...labels, 'batch.kubernetes.io/job-completion-index': String(index) };
    return Object.entries(selector ?? { none: '' }).every(([key, value]) => carried[key] === value);
  });
}

interface TensorflowConfig {
  readonly cluster: Readonly<Record<string, readonly string[]>>;
  readonly task: { readonly type: string; readonly index: number };
}

describe('the rendezvous of TensorFlow', () => {
  const roles = fc
    .record(
      {
        chief: fc.constant({ replicas: 1 }),
        worker: fc.record({ replicas: members }),
        ps: fc.record({ replicas: fc.integer({ min: 1, max: 8 }) }),
        evaluator: fc.constant({ replicas: 1 }),
      },
      { requiredKeys: [] },
    )
    .filter(({ chief, worker }) => chief !== undefined || worker !== undefined);

  test('TF_CONFIG lists every member of the cluster and identifies its reader', () => {
    fc.assert(
      fc.property(roles, port, name, (counts, at, workload) => {
        const all = membersOf(objectsOf({ framework: 'tensorflow', roles: counts, port: at }, workload));
        const size = Object.values(counts).reduce((sum, role) => sum + role.replicas, 0);
        expect(all).toHaveLength(size);
        if (size === 1) return expect(all[0]?.env).not.toHaveProperty('TF_CONFIG');
        const seen = new Set<string>();
        for (const { env, dnsName } of all) {
          const { cluster, task } = JSON.parse(env['TF_CONFIG'] ?? '') as TensorflowConfig;
          expect(lengths(cluster)).toEqual(lengths(expectedCluster(counts)));
          if (task.type === 'evaluator') expect(cluster).not.toHaveProperty('evaluator');
          else expect(cluster[task.type]?.[task.index]).toBe(`${dnsName}:${at}`);
          seen.add(`${task.type} ${task.index}`);
        }
        expect(seen.size).toBe(size);
      }),
      { numRuns: 60 },
    );
  });

  test('the largest cluster with the longest names fits into one variable', () => {
    const objects = objectsOf(
      { framework: 'tensorflow', port: 65535, roles: { worker: { replicas: 400 }, ps: { replicas: 200 } } },
      `a${'b'.repeat(250)}`,
      `c${'d'.repeat(62)}`,
    );
    for (const { env } of membersOf(objects)) {
      expect(`TF_CONFIG=${env['TF_CONFIG'] ?? ''}`.length).toBeLessThan(128 * 1024);
    }
  });
});

describe('the rendezvous of JAX', () => {
  test('every member has its own process ID, and all meet at worker 0', () => {
    fc.assert(
      fc.property(members, port, name, (workers, at, workload) => {
        const all = membersOf(
          objectsOf({ framework: 'jax', roles: { worker: { replicas: workers } }, port: at }, workload),
        );
        const ids = Array.from({ length: workers }, (_, id) => String(id));
        expect(all.map(({ env }) => env['PROCESS_ID'])).toEqual(ids);
        expect(all.map(({ env }) => env['JAX_PROCESS_ID'])).toEqual(ids);
        const coordinator = workers === 1 ? 'localhost' : all[0]?.dnsName;
        for (const { env } of all) {
          expect(env).toMatchObject({
            COORDINATOR_ADDRESS: coordinator,
            COORDINATOR_PORT: String(at),
            NUM_PROCESSES: String(workers),
            JAX_COORDINATOR_ADDRESS: `${coordinator}:${at}`,
            JAX_COORDINATOR_PORT: String(at),
            JAX_NUM_PROCESSES: String(workers),
          });
          for (const other of ['MASTER_ADDR', 'PET_NNODES', 'TF_CONFIG']) expect(env).not.toHaveProperty(other);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('one Service makes the host name of the coordinator resolvable', () => {
    const objects = objectsOf({ framework: 'jax', roles: { worker: { replicas: 3 } } });
    const services = objects.filter(({ kind }) => kind === 'Service');
    expect(services.map(({ metadata }) => metadata.name)).toEqual(['ranker']);
    expect(services[0]?.['spec']).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
    expect(selected(objects, 'ranker', membersOf(objects))).toHaveLength(3);
  });
});

const lengths = (cluster: Readonly<Record<string, readonly unknown[]>>) =>
  Object.fromEntries(Object.entries(cluster).map(([role, addresses]) => [role, addresses.length]));

const expectedCluster = (counts: Readonly<Record<string, { readonly replicas: number }>>) =>
  Object.fromEntries(
    Object.entries(counts)
      .filter(([role]) => role !== 'evaluator')
      .map(([role, { replicas }]) => [role, Array.from({ length: replicas })]),
  );

describe('names', () => {
  test('every member has a host name that is a DNS label, and the Service for its DNS name', () => {
    fc.assert(
      fc.property(name, fc.integer({ min: 2, max: 10000 }), (workload, workers) => {
        const objects = objectsOf(
          { framework: 'pytorch', roles: { worker: { replicas: workers }, master: {} } },
          workload,
        );
        const job = objects.find(({ kind }) => kind === 'Job');
        const { completions, template: pod } = job?.['spec'] as JobSpec;
        expect(`${job?.metadata.name}-${completions - 1}`).toMatch(/^[a-z][-a-z0-9]{0,61}[a-z0-9]$/);
        expect(objects.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name)).toContain(
          pod.spec.subdomain,
        );
      }),
      { numRuns: 60 },
    );
  });
});

test('members may write to a generated checkpoint volume with any user ID, and an existing claim is not changed', () => {
  const groupOf = (checkpoint: NonNullable<TrainingSpec['checkpoint']>) => {
    const job = objectsOf({ framework: 'pytorch', roles: { worker: {} }, checkpoint }).find(
      ({ kind }) => kind === 'Job',
    );
    const { spec } = (job?.['spec'] as { template: { spec: { securityContext?: { fsGroup?: number } } } }).template;
    return spec.securityContext?.fsGroup;
  };
  expect(groupOf({ claim: { size: '1Gi' } })).toBe(65532);
  expect(groupOf({ claimName: 'shared' })).toBeUndefined();
});
