/** Measures the impact of changes on 10,000 workloads of all kinds, beside the time of parsing and expanding them once. */
import {
  apiVersion,
  parseManifest,
  safeParseManifest,
  type ManifestInput,
  type Workload,
  type WorkloadKind,
} from '../lib/api';
import { defaultPlatform, resolvePlatform, safeExpand, type PlatformContext } from '../lib/expand';
import { computeImpact, type ImpactDocument } from '../lib/impact';
import { median, ratio } from './ratio';

const [count, projectCount, rounds] = [10_000, 200, 3];

const template = {
  spec: {
    containers: [{ name: 'app', image: 'registry.example.com/app:1.4.2', ports: [{ containerPort: 8080 }] }],
  },
};
const specs: readonly (readonly [WorkloadKind, object])[] = [
  ['PinterestService', { replicas: 3, loadBalancer: { port: 8080 }, template }],
  ['PinterestService', { autoscaling: { minReplicas: 2, maxReplicas: 9, cpu: 70 }, template }],
  ['PinterestService', { replicas: 2, tier: 'critical', template }],
  ['PinterestStatefulSet', { replicas: 3, template }],
  ['PinterestCronJob', { schedule: '0 3 * * *', template }],
  ['PinterestJobSet', { shards: 4, template }],
  ['PinterestTrainingJob', { framework: 'pytorch', roles: { worker: { replicas: 2, template } } }],
];

const workloads = Array.from({ length: count }, (_, index): ImpactDocument => {
  const [kind, spec] = specs[index % specs.length] as (typeof specs)[number];
  return { kind, metadata: { name: `w-${index}`, namespace: `p-${index % projectCount}` }, spec };
});

const part = (tag: string) => ({
  ...{ name: 'logs', summary: 'A placeholder sidecar.', injection: 'Required' as const },
  pod: {
    sidecars: [
      {
        name: 'pinion-logs',
        image: `registry.example.com/logs:${tag}`,
        resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '32Mi' } },
      },
    ],
  },
});

/** Returns the cluster with changed fields of the Platform and of all Projects. */
function clusterOf(platform: Partial<ManifestInput<'Platform'>['spec']>, project: object = {}): PlatformContext {
  const profiles = ['1', '2'].map((tag) =>
    parseManifest({
      ...{ apiVersion, kind: 'RuntimeProfile', metadata: { name: `lean-${tag}` } },
      spec: { version: `${tag}.0.0`, summary: 'A profile.', parts: [part(tag)] },
    }),
  );
  const projects = Array.from({ length: projectCount }, (_, index) =>
    parseManifest({
      ...{ apiVersion, kind: 'Project', metadata: { name: `p-${index}` } },
      spec: { team: `team-${index % 40}`, tiers: ['critical'], ...project },
    }),
  );
  const spec = { ...defaultPlatform.spec, runtime: { profile: 'lean-1', rollout: 'Immediate' as const }, ...platform };
  return resolvePlatform([parseManifest({ ...defaultPlatform, spec }), ...profiles, ...projects]);
}

const changes: Readonly<Record<string, () => PlatformContext>> = {
  'a new profile, Immediate': () => clusterOf({ runtime: { profile: 'lean-2', rollout: 'Immediate' } }),
  'a new profile, OnNextDeploy': () => clusterOf({ runtime: { profile: 'lean-2' } }),
  'six fields of the Platform': () =>
    clusterOf({
      ...{ environment: 'prod', cluster: 'other', domain: 'other.example.com' },
      ...{ network: { defaultDeny: true, dnsNamespace: 'kube-system' }, zones: ['a', 'b'] },
      resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } },
    }),
  'all Projects': () => clusterOf({}, { costCenter: 'cc-7' }),
  nothing: () => clusterOf({}),
};

/** Seconds by the clock, and of the processor, which other programs of the machine do not lengthen. */
interface Measured {
  readonly clock: number;
  readonly processor: number;
}

function measured(run: () => unknown): Measured {
  const [started, usedBefore] = [performance.now(), process.cpuUsage()];
  run();
  const { user, system } = process.cpuUsage(usedBefore);
  return { clock: (performance.now() - started) / 1000, processor: (user + system) / 1e6 };
}

/** Parses and expands all workloads once, as the controller does. */
function expandOnce(cluster: PlatformContext): void {
  for (const { kind, metadata, spec } of workloads) {
    const { manifest } = safeParseManifest({ apiVersion, kind, metadata, spec });
    const { objects } = safeExpand(manifest as Workload, cluster.project(metadata.namespace ?? ''));
    if (!objects) throw new Error(`${kind} ${metadata.name} is rejected`);
  }
}

const expansions: Measured[] = [];
const times = new Map<string, Measured[]>();
for (let round = 0; round < rounds; round++) {
  expansions.push(measured(() => expandOnce(clusterOf({}))));
  for (const [name, after] of Object.entries(changes)) {
    const [before, target] = [clusterOf({}), after()];
    const result = measured(() => {
      const { counts } = computeImpact(
        { label: 'before', cluster: before, workloads },
        { label: 'after', cluster: target, workloads },
      );
      if (counts.unknown > 0 || counts.restarts + counts.waits + counts.changes + counts.unchanged < count)
        throw new Error(`${name}: ${JSON.stringify(counts)}`);
    });
    times.set(name, [...(times.get(name) ?? []), result]);
  }
}

const text = ({ clock, processor }: Measured): string => `${clock.toFixed(2)} s, processor ${processor.toFixed(2)} s`;
const once = median(expansions, ({ processor }) => processor);
console.log(`parsing and expanding ${count} workloads once: ${text(once)} (median of ${rounds})`);
let slowest = 0;
for (const [name, all] of times) {
  const result = median(all, ({ processor }) => processor);
  slowest = Math.max(slowest, result.clock);
  const factor = (result.processor / once.processor).toFixed(2);
  console.log(`impact of ${name}: ${text(result)}, ${factor} times expanding once`);
}
ratio('impact-of-10000-workloads-seconds', slowest, '<=', 10);
