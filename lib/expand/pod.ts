import {
  keys,
  manager,
  parseDuration,
  wholeSeconds,
  type Container,
  type EnvVar,
  type PodSpec,
  type PodTemplate,
  type PodTemplateSpec,
  type Volume,
  type VolumeMount,
  type Workload,
} from '../api';
import { cloudIdentityOf } from './cloud-identity';
import { configFilesOf, contentsOf, variablesOf } from './config-files';
import { freeze } from './freeze';
import { injectionOf } from './injection';
import { type KubernetesObject } from './kubernetes-object';
import { imageOf, labelsOf, selectorOf } from './labels';
import { nameOf } from './name';
import { withoutRepeats } from './part-content';
import { placementOf, tierOf } from './placement';
import { defaultAmounts, withResources } from './resources';
import { secretVariables, secretVolumes } from './secret-references';
import { secured, securedPod } from './security';
import { type World } from './world';

/** What a kind asks of the pods that it makes. */
export interface PodRequest {
  readonly template: PodTemplate;
  /** Whether containers go on serving for a while after the pod left the load balancers. */
  readonly serves: boolean;
  /** Whether pods are spread over zones and hosts. */
  readonly spread: boolean;
  /** Role or shard, where the pods of a workload differ. */
  readonly member?: string;
  readonly restartPolicy?: 'OnFailure' | 'Never';
  /** Whether pods get a token for the API server. @default as the workload says */
  readonly apiAccess?: boolean;
  /** Variables of the app's containers, seen by the person's own. */
  readonly env?: readonly EnvVar[];
  readonly volumes?: readonly Volume[];
  readonly mounts?: readonly VolumeMount[];
  readonly pool?: string | undefined;
  /** Last word on the first container, before its resources are completed. */
  readonly first?: (container: Container) => Container;
  /** Further fields of the pod, such as access to the host. */
  readonly pod?: Partial<PodSpec>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A pod template and the objects that its pods need. */
export interface Pod {
  readonly template: PodTemplateSpec;
  readonly objects: readonly KubernetesObject[];
}

/** The pod of a workload: the person's containers, the platform's defaults, and what the runtime profile adds. */
export function podOf(workload: Workload, world: World, request: PodRequest): Pod {
  const { metadata, spec } = workload;
  const own = request.template.spec;
  const tier = tierOf(workload, world);
  const amounts = defaultAmounts(world.platform.spec, tier);
  const injection = injectionOf(workload, world, tier, amounts);
  const files =
    spec.config?.files && Object.keys(spec.config.files).length > 0
      ? configFilesOf(metadata.name, 'config', contentsOf('pinion-config', spec.config.files))
      : undefined;
  const secrets = secretVolumes(workload);
  const identity = cloudIdentityOf(workload, world);
  const surroundings: Surroundings = {
    before: [
      ...world.runtime.env,
      ...identity.env,
      ...injection.env,
      ...(request.env ?? []),
      ...variablesOf(spec.config?.env),
      ...secretVariables(workload),
    ],
    mounts: [
      ...(request.mounts ?? []),
      ...(files?.mounts ?? []),
      ...secrets.mounts,
      ...identity.mounts,
      ...injection.mounts,
    ],
    amounts,
    drainSeconds: request.serves ? drainSeconds(workload) : 0,
    world,
  };
  const app = (container: Container, index: number) =>
    appContainer(index === 0 && request.first ? request.first(container) : container, surroundings, true);
  const initContainers = [
    ...injection.initContainers,
    ...(own.initContainers ?? []).map((container) => appContainer(container, surroundings, false)),
  ];
  const volumes = [
    ...(own.volumes ?? []),
    ...(request.volumes ?? []),
    ...(files ? [files.volume] : []),
    ...secrets.volumes,
    ...identity.volumes,
    ...injection.volumes,
  ];
  const podSpec: PodSpec = {
    ...own,
    ...request.pod,
    serviceAccountName: serviceAccountName(workload),
    automountServiceAccountToken: request.apiAccess ?? spec.apiAccess,
    enableServiceLinks: own.enableServiceLinks ?? false,
    priorityClassName: request.pod?.priorityClassName ?? tier,
    terminationGracePeriodSeconds: graceSeconds(workload),
    ...(request.restartPolicy && { restartPolicy: request.restartPolicy }),
    ...present({ securityContext: securedPod(own.securityContext, world) }),
    ...placementOf(workload, world, selectorOf(workload, request.member), own, {
      pool: request.pool,
      spread: request.spread,
    }),
    ...(request.pod?.tolerations && { tolerations: request.pod.tolerations }),
    ...(initContainers.length > 0 && { initContainers }),
    containers: own.containers.map(app),
    ...(volumes.length > 0 && { volumes }),
  };
  const template = { metadata: podMetadata(workload, world, request, injection), spec: podSpec };
  return { template, objects: [...(files ? [files.object] : []), ...injection.objects] };
}

interface Surroundings {
  readonly before: readonly EnvVar[];
  readonly mounts: readonly VolumeMount[];
  readonly amounts: ReturnType<typeof defaultAmounts>;
  readonly drainSeconds: number;
  readonly world: World;
}

function appContainer(container: Container, surroundings: Surroundings, main: boolean): Container {
  const { before, mounts, amounts, drainSeconds, world } = surroundings;
  const env = withoutRepeats(container.env ? [...before, ...container.env] : before);
  const volumeMounts = [
    ...mounts.filter((mount) => !container.volumeMounts?.some((own) => own.mountPath === mount.mountPath)),
    ...(container.volumeMounts ?? []),
  ];
  const drains = main && drainSeconds > 0 && container.lifecycle?.preStop === undefined;
  return withResources(
    secured(
      {
        ...container,
        ...(env.length > 0 && { env }),
        ...(volumeMounts.length > 0 && { volumeMounts }),
        ...(drains && { lifecycle: { ...container.lifecycle, preStop: drainHook(drainSeconds) } }),
      },
      world,
    ),
    amounts,
  );
}

const drainHooks = new Map<number, { sleep: { seconds: number } }>();
function drainHook(seconds: number) {
  let hook = drainHooks.get(seconds);
  if (!hook) drainHooks.set(seconds, (hook = freeze({ sleep: { seconds } })));
  return hook;
}

function podMetadata(
  workload: Workload,
  world: World,
  request: PodRequest,
  injection: { labels: Readonly<Record<string, string>>; annotations: Readonly<Record<string, string>> },
) {
  const { platform, profile, project } = world;
  const annotations: Record<string, string> = {
    ...injection.annotations,
    ...metricsAnnotations(workload),
    ...request.template.metadata?.annotations,
    ...workload.spec.annotations,
    ...request.annotations,
    [keys.cluster]: platform.spec.cluster,
    [keys.environment]: platform.spec.environment,
    [keys.image]: imageOf(workload),
    [keys.owner]: workload.spec.team ?? project.spec.team,
    [keys.creator]: `${manager}/${workload.kind}/${workload.metadata.namespace}/${workload.metadata.name}`,
    [keys.expiry]: expiryOf(workload),
    [keys.profile]: profile.metadata.name,
  };
  const labels = {
    ...injection.labels,
    ...request.template.metadata?.labels,
    ...request.labels,
    ...labelsOf(workload, world, request.member),
  };
  return { labels, annotations };
}

/** When pods of a workload may be collected, for whoever looks at a stray one. */
function expiryOf({ spec }: Workload): string {
  return 'ttl' in spec ? `${spec.ttl} after its end` : 'never';
}

function metricsAnnotations({ spec }: Workload): Record<string, string> {
  return spec.metrics === undefined
    ? {}
    : {
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': String(spec.metrics.port),
        'prometheus.io/path': spec.metrics.path,
      };
}

/** Name of a workload's own service account. */
export const serviceAccountName = (workload: Workload): string => nameOf([workload.metadata.name]);

/** Seconds of a completed duration, rounded up. */
export function secondsOf(duration: string): number {
  let seconds = knownSeconds.get(duration);
  if (seconds === undefined) {
    const parsed = parseDuration(duration);
    seconds = parsed ? (wholeSeconds(parsed) ?? Math.ceil(parsed.millis / 1000)) : 0;
    if (knownSeconds.size < 1000) knownSeconds.set(duration, seconds);
  }
  return seconds;
}

const knownSeconds = new Map<string, number>();

const graceSeconds = (workload: Workload): number => secondsOf(workload.spec.termination.gracePeriod);
/** Seconds to serve on while load balancers learn that a pod goes. */
const usualDrainSeconds = 5;

/** As given, else the usual; Kubernetes refuses a drain that is longer than the grace period. */
function drainSeconds(workload: Workload): number {
  const { drain } = workload.spec.termination;
  return drain === undefined ? Math.min(usualDrainSeconds, Math.floor(graceSeconds(workload) / 2)) : secondsOf(drain);
}

/** The object without members that are undefined. */
function present<T extends Record<string, unknown>>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Partial<T>;
}
