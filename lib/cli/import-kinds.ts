import { type WorkloadKind, valueAt } from '../api';
import { type Cluster } from '../expand';
import { autoscalingOf, autoscalerOf } from './import-autoscaling';
import { claimsOf } from './import-claims';
import { disruptionOf } from './import-disruption';
import {
  durationOf,
  durationUnless,
  entriesAt,
  fieldsAt,
  given,
  isSame,
  labelsAt,
  numberAt,
  textAt,
  type Fields,
  type NativeObject,
  type Note,
} from './import-fields';
import { hostOf } from './import-host';
import { loadBalancerOf, portOf, servicesOf } from './import-ports';
import { isRendered, withoutAdded } from './import-owned';
import { importTemplate, type ImportedTemplate } from './import-template';

/** A native workload and what lies around it. */
export interface KindSource {
  readonly object: NativeObject;
  /** Name of the custom resource. */
  readonly name: string;
  /** Services, Ingresses, autoscalers, budgets and service accounts of its namespace. */
  readonly around: readonly NativeObject[];
  readonly cluster: Cluster;
  readonly notes: Note[];
}

/** How each native kind becomes one of ours. */
export const importedKinds: Readonly<
  Record<string, { readonly kind: WorkloadKind; specOf(source: KindSource): Fields } | undefined>
> = {
  Deployment: { kind: 'PinterestService', specOf: service },
  StatefulSet: { kind: 'PinterestStatefulSet', specOf: statefulSet },
  CronJob: { kind: 'PinterestCronJob', specOf: cronJob },
  DaemonSet: { kind: 'PinterestDaemon', specOf: daemon },
};

const nameOf = ({ kind, metadata }: NativeObject): string => `${kind} ${metadata.name}`;

/** Notes about the workload itself. */
const about =
  ({ object, notes }: KindSource, below = 'spec') =>
  (path: string, message: string): void =>
    void notes.push({ about: `${nameOf(object)}: ${below}.${path}`, message });

/** Notes about something around it. */
const beside =
  ({ notes }: KindSource) =>
  (object: NativeObject, path: string, message: string): void =>
    void notes.push({ about: `${nameOf(object)}: ${path}`, message });

function templateOf(
  source: KindSource,
  options: { grace?: number; below?: string[]; carried?: readonly string[] } = {},
): ImportedTemplate {
  const { grace = 30, below = ['spec'], carried } = options;
  const template = fieldsAt(source.object, ...below, 'template');
  const account = textAt(template, 'spec', 'serviceAccountName');
  const rendered = isRendered(source.object);
  return importTemplate({
    template: rendered ? withoutAdded(template) : template,
    hasOwnAccount: rendered && account === source.name,
    cluster: source.cluster,
    account: source.around.find(({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === account),
    grace,
    ...(carried && { carried }),
    note: about(source, below.join('.')),
  });
}

/** Labels of the pods, by which others find them. */
const podLabels = ({ object }: KindSource) => labelsAt(object, 'spec', 'template', 'metadata', 'labels');
const around = (source: KindSource) => ({
  ...source,
  newName: source.name,
  labels: podLabels(source),
  note: beside(source),
});

function service(source: KindSource): Fields {
  const { object } = source;
  const spec = fieldsAt(object, 'spec');
  const { template, fields } = templateOf(source);
  const scale = { ...around(source), kind: 'Deployment', name: object.metadata.name };
  return {
    ...(autoscalerOf(scale) ? autoscalingOf(scale) : given('replicas', spec['replicas'])),
    ...loadBalancerOf(around(source)),
    ...given('rollout', rolloutOf(spec)),
    ...disruptionOf(around(source)),
    ...fields,
    template,
  };
}

/** Only what differs from our own defaults; the API server's default of history is nobody's choice. */
function rolloutOf(spec: Fields): Fields {
  const rolling = fieldsAt(spec, 'strategy', 'rollingUpdate');
  const surge = rolling['maxSurge'];
  const missing = rolling['maxUnavailable'];
  return {
    ...(textAt(spec, 'strategy', 'type') === 'Recreate' && { strategy: 'recreate' }),
    ...(surge !== '25%' && given('maxSurge', surge)),
    ...(missing !== 0 && given('maxUnavailable', missing)),
    ...durationUnless('minReady', numberAt(spec, 'minReadySeconds'), 0),
    ...durationUnless('deadline', numberAt(spec, 'progressDeadlineSeconds'), 600),
    ...historyOf(spec),
    ...(spec['paused'] === true && { paused: true }),
  };
}

const historyOf = (spec: Fields): Fields =>
  spec['revisionHistoryLimit'] === 10 || spec['revisionHistoryLimit'] === 5
    ? {}
    : given('history', spec['revisionHistoryLimit']);

function statefulSet(source: KindSource): Fields {
  const { object, name } = source;
  const spec = fieldsAt(object, 'spec');
  const imported = templateOf(source, { grace: 60 });
  const { claims, template } = claimsOf(object, imported.template, about(source));
  const rolling = fieldsAt(spec, 'updateStrategy', 'rollingUpdate');
  const retention = fieldsAt(spec, 'persistentVolumeClaimRetentionPolicy');
  const start = numberAt(spec, 'ordinals', 'start');
  const governing = textAt(spec, 'serviceName');
  if (governing !== undefined && governing !== `${name}-members`)
    about(source)(
      'serviceName',
      `members are found below ${name}-members instead of ${governing}; their names within the cluster change`,
    );
  return {
    ...given('replicas', spec['replicas']),
    ...given('claims', claims),
    ...given('claimRetention', {
      ...(retention['whenDeleted'] === 'Delete' && { whenDeleted: 'Delete' }),
      ...(retention['whenScaled'] === 'Delete' && { whenScaled: 'Delete' }),
    }),
    ...(start !== undefined && start > 0 && { ordinals: { start } }),
    ...(spec['podManagementPolicy'] === 'Parallel' && { management: 'parallel' }),
    ...given('update', {
      ...(textAt(spec, 'updateStrategy', 'type') === 'OnDelete' && { strategy: 'onDelete' }),
      ...(rolling['partition'] !== 0 && given('partition', rolling['partition'])),
      ...given('maxUnavailable', rolling['maxUnavailable']),
      ...durationUnless('minReady', numberAt(spec, 'minReadySeconds'), 0),
      ...historyOf(spec),
    }),
    ...membersOf(source),
    ...loadBalancerOf(around(source)),
    ...disruptionOf(around(source)),
    ...imported.fields,
    template,
  };
}

/** Ports by which members find each other: those of the Service without an address. */
function membersOf(source: KindSource): Fields {
  const headless = servicesOf(around(source)).find((object) => valueAt(object, ['spec', 'clusterIP']) === 'None');
  if (!headless) return {};
  const taken = new Set(
    servicesOf(around(source))
      .filter((object) => object !== headless)
      .flatMap((object) => entriesAt(object, 'spec', 'ports').map(({ port }) => port)),
  );
  const ports = entriesAt(headless, 'spec', 'ports').filter(({ port }) => !taken.has(port));
  return {
    ...given(
      'ports',
      ports.map((port) => portOf(port)),
    ),
    ...(valueAt(headless, ['spec', 'publishNotReadyAddresses']) === true && { publishNotReady: true }),
  };
}

function cronJob(source: KindSource): Fields {
  const { object } = source;
  const spec = fieldsAt(object, 'spec');
  const job = fieldsAt(spec, 'jobTemplate', 'spec');
  const note = about(source);
  const { template, fields } = templateOf(source, { below: ['spec', 'jobTemplate', 'spec'] });
  if (textAt(spec, 'timeZone') === undefined)
    note('timeZone', "was the controller manager's own and is Etc/UTC now; set spec.timeZone where that was another");
  if (textAt(job, 'template', 'spec', 'restartPolicy') === 'OnFailure')
    note(
      'jobTemplate.spec.template.spec.restartPolicy',
      'a failed container is replaced with its pod now, as often as spec.retries says',
    );
  for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy', 'managedBy', 'selector'])
    if (job[field] !== undefined)
      note(`jobTemplate.spec.${field}`, 'has no counterpart in a PinterestCronJob; use failureRules and retries');
  const [completions, parallelism] = [numberAt(job, 'completions') ?? 1, numberAt(job, 'parallelism') ?? 1];
  const retries = numberAt(job, 'backoffLimit') ?? 6;
  const [deadline, ttl, late] = [
    numberAt(job, 'activeDeadlineSeconds'),
    numberAt(job, 'ttlSecondsAfterFinished'),
    numberAt(spec, 'startingDeadlineSeconds'),
  ];
  const [successful, failed] = [numberAt(spec, 'successfulJobsHistoryLimit'), numberAt(spec, 'failedJobsHistoryLimit')];
  return {
    ...given('schedule', spec['schedule']),
    ...given('timeZone', spec['timeZone']),
    ...((textAt(spec, 'concurrencyPolicy') ?? 'Allow') !== 'Forbid' && {
      concurrency: textAt(spec, 'concurrencyPolicy') ?? 'Allow',
    }),
    ...(spec['suspend'] === true && { suspend: true }),
    ...(late !== undefined && { startingDeadline: durationOf(late) }),
    ...given('history', {
      ...(successful !== 3 && given('successful', successful)),
      ...(failed !== 3 && given('failed', failed)),
    }),
    ...(parallelism > 1 && { parallelism }),
    ...(completions > 1 && { completions }),
    ...(retries !== 3 && { retries }),
    ...(deadline !== undefined && { deadline: durationOf(deadline) }),
    ...(ttl !== undefined && { ttl: durationOf(ttl) }),
    ...given('failureRules', valueAt(job, ['podFailurePolicy', 'rules'])),
    ...(job['podReplacementPolicy'] === 'Failed' &&
      job['podFailurePolicy'] === undefined && { replacement: 'onceEnded' }),
    ...fields,
    template,
  };
}

const daemonFields = ['hostNetwork', 'hostPID', 'hostIPC', 'tolerations'];

function daemon(source: KindSource): Fields {
  const { object, cluster } = source;
  const spec = fieldsAt(object, 'spec');
  const pod = fieldsAt(spec, 'template', 'spec');
  const critical = pod['priorityClassName'] === 'system-node-critical';
  const imported = templateOf(source, { carried: critical ? [...daemonFields, 'priorityClassName'] : daemonFields });
  const { placement, ...fields } = imported.fields;
  const pool = textAt(placement, 'pool');
  const { host, template } = hostOf(pod, imported.template, about(source));
  const tolerations = entriesAt(pod, 'tolerations');
  const tolerateAll = tolerations.some(
    ({ key, operator, effect }) => key === undefined && operator === 'Exists' && effect === undefined,
  );
  const ofPool = cluster.platform.spec.pools.find(({ name }) => name === pool)?.tolerations ?? [];
  const rest = tolerations.filter((toleration) => !ofPool.some((one) => isSame(one, toleration)));
  return {
    ...(pool !== undefined && { pools: [pool] }),
    ...(!tolerateAll && { tolerateAll: false, ...given('tolerations', rest) }),
    ...(critical && { critical: true }),
    ...given('update', updateOf(spec)),
    ...given('host', host),
    ...given(
      'ports',
      servicesOf(around(source))
        .slice(0, 1)
        .flatMap((one) => entriesAt(one, 'spec', 'ports').map((port) => portOf(port))),
    ),
    ...fields,
    ...given('placement', Object.fromEntries(Object.entries(fieldsAt(placement)).filter(([key]) => key !== 'pool'))),
    template,
  };
}

function updateOf(spec: Fields): Fields {
  const rolling = fieldsAt(spec, 'updateStrategy', 'rollingUpdate');
  const [missing, surge] = [rolling['maxUnavailable'], rolling['maxSurge']];
  const surges = surge !== undefined && surge !== 0 && surge !== '0%';
  return {
    ...(textAt(spec, 'updateStrategy', 'type') === 'OnDelete' && { strategy: 'onDelete' }),
    ...(surges ? { maxSurge: surge } : missing !== 1 ? given('maxUnavailable', missing) : {}),
    ...durationUnless('minReady', numberAt(spec, 'minReadySeconds'), 0),
    ...historyOf(spec),
  };
}
