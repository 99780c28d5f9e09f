import { apiVersion, type ManifestInput, type WorkloadKind } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';
import { podBehavior } from '../control-plane/pod-behavior';
import { smallTemplate, workloadOf } from './pinion-suite';

type PlatformSpec = ManifestInput<'Platform'>['spec'];
type ProjectSpec = ManifestInput<'Project'>['spec'];

/** Manifests of the platform that the changes of the test edit. */
export interface FleetState {
  readonly platform: PlatformSpec;
  readonly projects: Readonly<Record<string, ProjectSpec>>;
  /** Workloads that changes edit, by kind, project and name. @default - none */
  readonly edited?: Readonly<Record<string, ManifestInput<WorkloadKind>>>;
}

/** A change, and its name in failures. */
export interface FleetChange {
  readonly name: string;
  readonly apply: (state: FleetState) => FleetState;
}

const sidecar = (tag: string) => ({
  name: 'pinion-logs',
  image: `registry.example.com/logs:${tag}`,
  resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '32Mi' } },
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL' as const] },
    runAsNonRoot: true,
    runAsUser: 65532,
    seccompProfile: { type: 'RuntimeDefault' as const },
  },
});

/** Returns a profile with a sidecar and a part on nodes. */
export const fleetProfile = (name: string, tag: string): ManifestInput<'RuntimeProfile'> => ({
  apiVersion,
  kind: 'RuntimeProfile',
  metadata: { name },
  spec: {
    version: `${tag}.0.0`,
    summary: 'A profile for tests.',
    parts: [
      {
        ...{ name: 'logs', summary: 'A placeholder sidecar.', injection: 'Required' },
        kinds: ['PinterestService', 'PinterestCronJob', 'PinterestJobSet'],
        pod: { sidecars: [sidecar(tag)] },
      },
      {
        ...{ name: 'node-agent', summary: 'A placeholder node agent.', injection: 'Required' },
        node: { daemon: { template: smallTemplate() } },
      },
    ],
  },
});

/** Platform and Projects before the first change. */
export const initialState: FleetState = {
  platform: { ...defaultPlatform.spec, runtime: { profile: 'lean-1', rollout: 'Immediate' } },
  projects: {
    shop: { team: 'retail', tiers: ['critical'] },
    search: { team: 'discovery' },
    agents: { team: 'platform', infrastructure: true },
  },
};

/** Returns the manifest of the Platform. */
export const platformOf = ({ platform }: FleetState): ManifestInput<'Platform'> => ({
  apiVersion,
  kind: 'Platform',
  metadata: { name: 'cluster' },
  spec: platform,
});

/** Returns the manifests of the Projects. */
export const projectsOf = ({ projects }: FleetState): readonly ManifestInput<'Project'>[] =>
  Object.entries(projects).map(([name, spec]) => ({ apiVersion, kind: 'Project', metadata: { name }, spec }));

const running = smallTemplate({ [podBehavior.exitAfter]: 'never' });
/** Specs of small workloads. */
export const smallSpecs: Readonly<Record<WorkloadKind, object>> = {
  PinterestService: { replicas: 1, template: smallTemplate() },
  PinterestStatefulSet: { replicas: 2, template: smallTemplate() },
  PinterestDaemon: { template: smallTemplate() },
  PinterestCronJob: { schedule: '0 3 29 2 *', template: smallTemplate() },
  PinterestJobSet: { shards: 1, template: running },
  PinterestTrainingJob: { framework: 'pytorch', roles: { worker: { replicas: 1, template: running } } },
};
/** Returns a workload of a kind with changed fields. */
export const fleetWorkload = (
  kind: WorkloadKind,
  project: string,
  name: string,
  more: object = {},
): ManifestInput<WorkloadKind> =>
  workloadOf(kind, project, name, { ...smallSpecs[kind], ...more } as ManifestInput<WorkloadKind>['spec']);
const several = (count: number, make: (index: number) => ManifestInput<WorkloadKind>) =>
  Array.from({ length: count }, (_, index) => make(index));
const resources = { requests: { cpu: '20m', memory: '32Mi' }, limits: { memory: '64Mi' } };
/** Template with requests of its own. */
export const sizedTemplate = {
  spec: { ...running.spec, containers: [{ name: 'app', image: 'registry.example.com/app:1.0.0', resources }] },
};

/** Workloads of all kinds, in three projects and two tiers. */
export const fleetWorkloads: readonly ManifestInput<WorkloadKind>[] = [
  ...several(6, (index) =>
    fleetWorkload('PinterestService', 'shop', `web-${index}`, index % 2 ? {} : { tier: 'critical' }),
  ),
  ...several(4, (index) => fleetWorkload('PinterestService', 'search', `index-${index}`)),
  ...several(2, (index) => fleetWorkload('PinterestService', 'shop', `sized-${index}`, { template: sizedTemplate })),
  fleetWorkload('PinterestService', 'shop', 'scaled', {
    replicas: undefined,
    autoscaling: { minReplicas: 1, maxReplicas: 3, cpu: 80 },
  }),
  ...several(3, (index) => fleetWorkload('PinterestStatefulSet', 'shop', `store-${index}`)),
  ...several(2, (index) => fleetWorkload('PinterestStatefulSet', 'search', `shard-${index}`)),
  ...several(2, (index) => fleetWorkload('PinterestDaemon', 'agents', `agent-${index}`)),
  ...several(4, (index) => fleetWorkload('PinterestCronJob', 'shop', `report-${index}`)),
  ...several(3, (index) => fleetWorkload('PinterestJobSet', 'search', `batch-${index}`)),
  ...several(2, (index) => fleetWorkload('PinterestTrainingJob', 'search', `train-${index}`)),
];

/** Returns a change of fields of the Platform. */
export const platformChange = (name: string, edit: (spec: PlatformSpec) => Partial<PlatformSpec>): FleetChange => ({
  name,
  apply: (state) => ({ ...state, platform: { ...state.platform, ...edit(state.platform) } }),
});
/** Returns a change of the runtime of the Platform. */
export const runtimeChange = (name: string, fields: object): FleetChange =>
  platformChange(name, (spec) => ({ runtime: { ...spec.runtime, ...fields } as PlatformSpec['runtime'] }));
/** Returns a change of fields of a Project. */
export const projectChange = (name: string, which: string, fields: Partial<ProjectSpec>): FleetChange => ({
  name,
  apply: (state) => ({
    ...state,
    projects: { ...state.projects, [which]: { ...state.projects[which], ...fields } as ProjectSpec },
  }),
});

/** Changes of every sort: some restart all pods, some a few, some none. */
export const fleetChanges: readonly FleetChange[] = [
  platformChange('the environment', ({ environment }) => ({ environment: environment === 'dev' ? 'test' : 'dev' })),
  platformChange('network policies', ({ network }) => ({
    network: { dnsNamespace: 'kube-system', defaultDeny: network?.defaultDeny !== true },
  })),
  platformChange('other units of the default resources', (spec) => ({
    resources: { ...spec.resources, requests: { cpu: '0.1', memory: '0.125Gi' } },
  })),
  platformChange('the default resources', ({ resources: own }) => ({
    resources: { ...own, requests: { cpu: '50m', memory: '64Mi' } },
  })),
  platformChange('the priority of a tier', ({ tiers }) => ({
    tiers: tiers.map((tier) => (tier.name === 'critical' ? { ...tier, priority: tier.priority + 1 } : tier)),
  })),
  platformChange('the default quota', () => ({ defaultQuota: { pods: '150' } })),
  runtimeChange('the image of a part', { images: { logs: 'registry.example.com/mirror/logs:1' } }),
  runtimeChange('the runtime profile', { profile: 'lean-2' }),
  runtimeChange('a profile that waits for deployments', {
    profile: 'lean-3',
    rollout: 'OnNextDeploy',
    rolloutDeadline: '14d',
  }),
  projectChange('a cost center', 'search', { costCenter: 'cc-7' }),
  projectChange('a quota', 'shop', { quota: { pods: '90' } }),
  projectChange('a link', 'shop', { links: { chat: 'https://chat.example.com' } }),
];

const waiting = { rollout: 'OnNextDeploy', rolloutDeadline: '14d' };

/** Changes of profiles after all others, in this order: both depend on the profiles that were in force before. */
export const profileChanges: readonly FleetChange[] = [
  runtimeChange('the way back to the first profile', { profile: 'lean-1', ...waiting }),
  runtimeChange('a withdrawn profile with another image', {
    ...{ profile: 'lean-2', ...waiting },
    images: { logs: 'registry.example.com/mirror/logs:2' },
  }),
];
