import { type ManifestInput, type WorkloadKind } from '../../lib/api';
import {
  fleetWorkload,
  initialState,
  platformChange,
  projectChange,
  runtimeChange,
  sizedTemplate,
  type FleetChange,
  type FleetState,
} from './impact-fleet';
import { randomFrom } from './impact-proof';
import { smallTemplate } from './pinion-suite';

type WorkloadInput = ManifestInput<WorkloadKind>;

/** Number of workloads of a project, so that quotas of the default size suffice. */
const projectSize = 40;
const teams = ['retail', 'discovery', 'ads', 'growth', 'safety'];

/** A fleet of any size, with its changes. */
export interface ScaleFleet {
  readonly state: FleetState;
  readonly workloads: readonly WorkloadInput[];
  readonly changes: readonly FleetChange[];
}

/** Returns a fleet of mixed kinds and tiers, and seeded changes of every sort. */
export function scaleFleet(seed: number, count: number, changes: number): ScaleFleet {
  const random = randomFrom(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const names = Array.from({ length: Math.ceil(count / projectSize) }, (_, index) => `team-${index}`);
  const projects = Object.fromEntries([
    ...names.map((name, index) => [name, { team: pick(teams), ...(index % 2 === 0 && { tiers: ['critical'] }) }]),
    ['agents', { team: 'platform', infrastructure: true }],
  ]) as FleetState['projects'];
  const workloads = Array.from({ length: count }, (_, index) => {
    const project = names[Math.floor(index / projectSize)] ?? '';
    return workloadAt(
      index,
      project,
      random() < 0.5 && projects[project]?.tiers !== undefined ? 'critical' : undefined,
    );
  });
  const makers = changeMakers(names, workloads, pick);
  // Each sort of change once, in a random order, and then any.
  const ranked = makers.map((make) => ({ make, rank: random() })).sort((one, other) => one.rank - other.rank);
  const chosen = Array.from({ length: changes }, (_, index) => ranked[index]?.make ?? pick(makers));
  return { state: { ...initialState, projects }, workloads, changes: chosen.map((make, index) => make(index)) };
}

function workloadAt(index: number, project: string, tier: string | undefined): WorkloadInput {
  const shared = tier === undefined ? {} : { tier };
  const share = index % 20;
  const name = (what: string): string => `${what}-${index}`;
  if (index % 400 === 399) return fleetWorkload('PinterestDaemon', 'agents', name('agent'));
  if (share < 2) return fleetWorkload('PinterestStatefulSet', project, name('store'), { ...shared, replicas: 1 });
  if (share < 4) return fleetWorkload('PinterestCronJob', project, name('report'), shared);
  if (share < 5) return fleetWorkload('PinterestJobSet', project, name('batch'));
  if (share < 6) return fleetWorkload('PinterestTrainingJob', project, name('train'));
  if (share < 8)
    return fleetWorkload('PinterestService', project, name('scaled'), {
      ...{ ...shared, replicas: undefined },
      autoscaling: { minReplicas: 1, maxReplicas: 3, cpu: 80 },
    });
  if (share < 11)
    return fleetWorkload('PinterestService', project, name('sized'), { ...shared, template: sizedTemplate });
  return fleetWorkload('PinterestService', project, name('web'), shared);
}

type Maker = (index: number) => FleetChange;

/** Returns changes of every sort; `index` makes each of them differ from the state before. */
function changeMakers(
  projects: readonly string[],
  workloads: readonly WorkloadInput[],
  pick: <T>(all: readonly T[]) => T,
): readonly Maker[] {
  const project = (): string => pick(projects);
  const images = (index: number) => ({ images: { logs: `registry.example.com/mirror/logs:${index}` } });
  return [
    (index) => platformChange(`environment ${index}`, () => ({ environment: `stage-${index}` })),
    (index) => platformChange(`name of the cluster ${index}`, () => ({ cluster: `cluster-${index}` })),
    (index) =>
      platformChange(`network policies ${index}`, ({ network }) => ({
        network: { dnsNamespace: 'kube-system', defaultDeny: network?.defaultDeny !== true },
      })),
    (index) =>
      platformChange(`default resources ${index}`, ({ resources }) => ({
        resources: { ...resources, requests: { cpu: `${20 + index}m`, memory: '64Mi' } },
      })),
    (index) =>
      platformChange(`other units of the default resources ${index}`, ({ resources }) => ({
        resources: { ...resources, limits: { ...resources.limits, memory: index % 2 ? '262144Ki' : '0.25Gi' } },
      })),
    (index) =>
      platformChange(`priority of a tier ${index}`, ({ tiers }) => ({
        tiers: tiers.map((tier) => (tier.name === 'critical' ? { ...tier, priority: tier.priority + 1 } : tier)),
      })),
    (index) =>
      platformChange(`tolerations of a tier ${index}`, ({ tiers }) => ({
        tiers: tiers.map((tier) =>
          tier.name === 'critical'
            ? { ...tier, tolerations: [{ key: `example.com/pool-${index}`, operator: 'Exists' as const }] }
            : tier,
        ),
      })),
    (index) => platformChange(`default quota ${index}`, () => ({ defaultQuota: { pods: `${300 + index}` } })),
    (index) => runtimeChange(`image of a part ${index}`, images(index)),
    (index) => runtimeChange(`runtime profile ${index}`, { profile: 'lean-2', rollout: 'Immediate' }),
    (index) =>
      runtimeChange(`profile that waits ${index}`, {
        ...{ profile: 'lean-3', rollout: 'OnNextDeploy', rolloutDeadline: '14d' },
      }),
    (index) => runtimeChange(`first profile again ${index}`, { profile: 'lean-1', rollout: 'Immediate' }),
    (index) => projectChange(`cost center ${index}`, project(), { costCenter: `cc-${index}` }),
    (index) => projectChange(`quota ${index}`, project(), { quota: { pods: `${200 + index}` } }),
    (index) => projectChange(`link ${index}`, project(), { links: { chat: `https://chat-${index}.example.com` } }),
    (index) => projectChange(`team ${index}`, project(), { team: `team-of-${index}` }),
    (index) => edit(`deployments ${index}`, servicesOf(workloads, 'web', 5, pick), () => ({ template: image(index) })),
    (index) => edit(`scaling ${index}`, servicesOf(workloads, 'sized', 3, pick), () => ({ replicas: 2 + (index % 3) })),
  ];
}

const image = (index: number) => {
  const template = smallTemplate();
  const containers = template.spec.containers.map((one) => ({
    ...one,
    image: `registry.example.com/app:2.${index}.0`,
  }));
  return { ...template, spec: { ...template.spec, containers } };
};

function servicesOf(
  workloads: readonly WorkloadInput[],
  prefix: string,
  count: number,
  pick: <T>(all: readonly T[]) => T,
): readonly WorkloadInput[] {
  const all = workloads.filter(({ metadata }) => metadata.name.startsWith(prefix));
  return [...new Set(Array.from({ length: count }, () => pick(all)))];
}

/** Returns a change of workloads, on top of earlier ones. */
const edit = (name: string, workloads: readonly WorkloadInput[], fields: () => object): FleetChange => ({
  name: `${name} of ${workloads.map(({ metadata }) => metadata.name).join(', ')}`,
  apply: (state) => ({
    ...state,
    edited: {
      ...state.edited,
      ...Object.fromEntries(
        workloads.map((workload) => {
          const key = `${workload.kind} ${workload.metadata.namespace}/${workload.metadata.name}`;
          const { spec, ...rest } = state.edited?.[key] ?? workload;
          return [key, { ...rest, spec: { ...spec, ...fields() } } as WorkloadInput];
        }),
      ),
    },
  }),
});
