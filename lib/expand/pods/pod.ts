import {
  type ApiAccess,
  type Container,
  type EnvVar,
  type PodSpec,
  type PodTemplate,
  type PodTemplateSpec,
  type Volume,
  type VolumeMount,
  type Workload,
} from '../../api';
import { apiAccessOf, type ApiAccessOfPod } from './api-access';
import { appContainer, type ContainerContext } from './app-container';
import { cloudIdentityOf } from './cloud-identity';
import { configFilesOf, contentsOf, variablesOf } from '../objects/config-files';
import { injectionOf, type Injection } from '../profile/injection';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { selectorOf } from '../objects/labels';
import { placementOf, tierOf } from './placement';
import { podMetadata } from './pod-metadata';
import { defaultAmounts } from './resources';
import { secondsOf } from '../objects/seconds';
import { secretVariables, secretVolumes } from './secret-references';
import { withPodSecurityDefaults } from './security';
import { serviceAccountName } from '../objects/service-account';
import { type ProjectContext } from '../project-context';

/** Options of a workload's pod template that its kind sets. */
export interface PodRequest {
  readonly template: PodTemplate;
  /** Whether clients connect to the pods, so that containers must keep serving until load balancers have removed the pod. */
  readonly serves: boolean;
  /** Whether pods are spread across zones and hosts. */
  readonly spread: boolean;
  /** Whether the pods of each revision, which the pod-template-hash label identifies, are spread separately. @default false */
  readonly revisions?: boolean;
  /** Time when pods can be deleted, for garbage collectors. @default never */
  readonly expiry?: string;
  /** Role or shard, if the pods of a workload differ. */
  readonly member?: string;
  readonly restartPolicy?: 'OnFailure' | 'Never';
  /** Hook before a deployment that the pod runs, instead of the app. @default - none */
  readonly hook?: string;
  /** How clients in the pod reach the API server. @default - spec.apiAccess of the workload */
  readonly apiAccess?: ApiAccess;
  /** Variables of the app's containers; the workload's own variables can refer to them. */
  readonly env?: readonly EnvVar[];
  readonly volumes?: readonly Volume[];
  readonly mounts?: readonly VolumeMount[];
  readonly pool?: string | undefined;
  /** Changes the first container before defaults are added to its resources. */
  readonly updateFirstContainer?: (container: Container) => Container;
  /** Additional pod fields, such as host access. */
  readonly pod?: Partial<PodSpec>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Pod template and the objects that its pods require. */
export interface Pod {
  readonly template: PodTemplateSpec;
  readonly objects: readonly KubernetesObject[];
}

/**
 * Creates the pod template of a workload: its containers, the platform's defaults, and the additions of the runtime
 * profile.
 */
export function workloadPod(workload: Workload, context: ProjectContext, request: PodRequest): Pod {
  const tier = tierOf(workload, context);
  const amounts = defaultAmounts(context.platform.spec, tier);
  const injection = injectionOf(workload, context, tier, amounts, request.hook !== undefined);
  const additions = additionsOf(workload, context, request, injection);
  const containerContext: ContainerContext = {
    inheritedEnv: additions.env,
    mounts: additions.mounts,
    amounts,
    drainSeconds: request.serves ? drainSeconds(workload) : 0,
    context,
  };
  const access = apiAccessOf(request.apiAccess ?? workload.spec.apiAccess, context);
  const spec = {
    ...podFields(workload, context, request, tier, access.mountsToken),
    ...podContainers(request, containerContext, injection, additions.volumes, access),
  };
  const template = { metadata: podMetadata(workload, context, request, injection), spec };
  return { template, objects: additions.objects };
}

/** Returns the additions of config, secrets, IAM role, profile and kind to the app's containers. */
function additionsOf(workload: Workload, context: ProjectContext, request: PodRequest, injection: Injection) {
  const { config } = workload.spec;
  const files =
    config?.files && Object.keys(config.files).length > 0
      ? configFilesOf(workload.metadata.name, 'config', contentsOf('pinion-config', config.files))
      : undefined;
  const secrets = secretVolumes(workload);
  const identity = cloudIdentityOf(workload, context);
  return {
    env: [
      ...context.runtime.env,
      ...identity.env,
      ...injection.env,
      ...(request.env ?? []),
      ...variablesOf(config?.env),
      ...secretVariables(workload),
    ],
    mounts: [
      ...(request.mounts ?? []),
      ...(files?.mounts ?? []),
      ...secrets.mounts,
      ...identity.mounts,
      ...injection.mounts,
    ],
    volumes: [
      ...(request.volumes ?? []),
      ...(files ? [files.volume] : []),
      ...secrets.volumes,
      ...identity.volumes,
      ...injection.volumes,
    ],
    objects: [...(files ? [files.object] : []), ...injection.objects],
  };
}

/** Returns the pod spec without containers and volumes: identity, placement, termination. */
function podFields(
  workload: Workload,
  context: ProjectContext,
  request: PodRequest,
  tier: string,
  automountServiceAccountToken: boolean,
): Omit<PodSpec, 'containers'> {
  const own = request.template.spec;
  const securityContext = withPodSecurityDefaults(own.securityContext, context);
  const options = { pool: request.pool, spread: request.spread, revisions: request.revisions ?? false };
  return {
    ...own,
    ...request.pod,
    serviceAccountName: serviceAccountName(workload),
    automountServiceAccountToken,
    enableServiceLinks: own.enableServiceLinks ?? false,
    priorityClassName: request.pod?.priorityClassName ?? tier,
    terminationGracePeriodSeconds: graceSeconds(workload),
    ...(request.restartPolicy && { restartPolicy: request.restartPolicy }),
    ...(securityContext && { securityContext }),
    ...placementOf(workload, context, selectorOf(workload, request.member), own, options),
    ...(request.pod?.tolerations && { tolerations: request.pod.tolerations }),
  };
}

/** Returns containers and volumes; the profile's init containers and sidecars start before the workload's own. */
function podContainers(
  request: PodRequest,
  containerContext: ContainerContext,
  injection: Injection,
  added: readonly Volume[],
  access: ApiAccessOfPod,
) {
  const own = request.template.spec;
  const first = (container: Container, index: number) =>
    index === 0 && request.updateFirstContainer ? request.updateFirstContainer(container) : container;
  const initContainers = [
    ...injection.initContainers,
    ...(own.initContainers ?? []).map((container) => appContainer(container, containerContext, false)),
  ];
  const containers = own.containers.map((container, index) =>
    appContainer(first(container, index), containerContext, true),
  );
  const volumes = [...(own.volumes ?? []), ...added, ...access.volumes];
  return {
    ...(initContainers.length > 0 && { initContainers: initContainers.map(access.wire) }),
    containers: containers.map(access.wire),
    ...(volumes.length > 0 && { volumes }),
  };
}

const graceSeconds = (workload: Workload): number => secondsOf(workload.spec.termination.gracePeriod);
/** Seconds to keep serving until load balancers have removed a terminating pod. */
const defaultDrainSeconds = 5;

/** Returns the drain of a workload or the default; Kubernetes rejects a drain longer than the grace period. */
function drainSeconds(workload: Workload): number {
  const { drain } = workload.spec.termination;
  return drain === undefined ? Math.min(defaultDrainSeconds, Math.floor(graceSeconds(workload) / 2)) : secondsOf(drain);
}
