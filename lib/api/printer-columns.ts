import { type CustomResourceColumnDefinition } from './native';
import { type PinionKind } from './kinds';

type Column = CustomResourceColumnDefinition;

const column = (name: string, type: string, jsonPath: string, more: Partial<Column> = {}): Column => ({
  name,
  type,
  jsonPath,
  ...more,
});
const text = (name: string, jsonPath: string): Column => column(name, 'string', jsonPath);
const number = (name: string, jsonPath: string): Column => column(name, 'integer', jsonPath);
const date = (name: string, jsonPath: string): Column => column(name, 'date', jsonPath);
/** Shown by `kubectl get -o wide` alone. */
const wide = (one: Column): Column => ({ ...one, priority: 1 });

const ready = text('Ready', '.status.conditions[?(@.type=="Ready")].status');
const reason = wide(text('Reason', '.status.conditions[?(@.type=="Ready")].reason'));
const age = date('Age', '.metadata.creationTimestamp');
const last = [wide(text('Profile', '.status.runtimeProfile')), reason, age];

const replicas = [
  number('Replicas', '.status.replicas'),
  number('ReadyPods', '.status.readyReplicas'),
  number('Updated', '.status.updatedReplicas'),
];

const columns: Readonly<Record<PinionKind, readonly Column[]>> = {
  PinterestService: [ready, ...replicas, ...last],
  PinterestJobSet: [
    ready,
    text('Phase', '.status.phase'),
    number('Shards', '.spec.shards'),
    number('Active', '.status.shards.active'),
    number('Succeeded', '.status.shards.succeeded'),
    number('Failed', '.status.shards.failed'),
    ...last,
  ],
  PinterestCronJob: [
    ready,
    text('Schedule', '.spec.schedule'),
    column('Suspend', 'boolean', '.spec.suspend'),
    number('Active', '.status.active'),
    date('LastRun', '.status.lastScheduleTime'),
    ...last,
  ],
  PinterestDaemon: [
    ready,
    number('Desired', '.status.desiredNodes'),
    number('ReadyNodes', '.status.readyNodes'),
    number('Updated', '.status.updatedNodes'),
    ...last,
  ],
  PinterestTrainingJob: [
    ready,
    text('Phase', '.status.phase'),
    text('Framework', '.spec.framework'),
    text('Members', '.status.readyMembers'),
    number('Restarts', '.status.restarts'),
    ...last,
  ],
  PinterestStatefulSet: [ready, ...replicas, ...last],
  Project: [ready, text('Team', '.spec.team'), number('Workloads', '.status.workloads'), reason, age],
  RuntimeProfile: [ready, text('Version', '.spec.version'), number('Workloads', '.status.workloads'), reason, age],
  Platform: [
    ready,
    text('Cluster', '.spec.cluster'),
    text('Profile', '.spec.runtime.profile'),
    number('Workloads', '.status.workloads'),
    reason,
    age,
  ],
};

/** What `kubectl get` shows of a kind. */
export const printerColumns = (kind: PinionKind): readonly Column[] => columns[kind];
