import {
  kindsWith,
  podTemplatesOf,
  type Container,
  type FieldPath,
  type PodSpec,
  type Problem,
  type SecurityContext,
  type Workload,
} from '../../api';
import { type ProjectContext } from '../project-context';

const restrictedVolumes = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);
const baselineCapabilities = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

/**
 * Reports pod fields that the project's Pod Security level rejects.
 *
 * The API server would accept the workload and reject its pods later, without an error for the user. Source: the Pod Security Standards of Kubernetes.
 */
export function podSecurityProblems(
  workload: Workload,
  context: ProjectContext,
  report: (problem: Problem) => void,
): void {
  for (const { template, path } of podTemplatesOf(workload))
    podSpecSecurityProblems(template.spec, [...path, 'spec'], context, report);
}

type CheckedPod = Pick<PodSpec, 'volumes' | 'securityContext' | 'containers' | 'initContainers'>;
type Level = 'baseline' | 'restricted';

/** Reports fields of one pod spec, given with its path, that the project's Pod Security level rejects. */
export function podSpecSecurityProblems(
  spec: CheckedPod,
  basePath: FieldPath,
  context: ProjectContext,
  report: (problem: Problem) => void,
): void {
  const level = context.project.spec.podSecurity;
  if (level === 'privileged') return;
  const problems: Problem[] = [];
  rejectedFields(spec, basePath, level, (path, value, remedy) =>
    problems.push({
      code: 'not-available',
      path,
      value,
      reason: `is rejected by Pod Security "${level}", which the project enforces`,
      remedy,
      rule: 'pod-security',
    }),
  );
  const isAssumed = context.assumed.includes('Project') && problems.length > 0;
  for (const problem of isAssumed ? ofAssumedProject(problems, spec, basePath, context) : problems) report(problem);
}

/** Returns the problems of a project whose manifest is not known, with the level that would allow each field. */
function ofAssumedProject(
  problems: readonly Problem[],
  spec: CheckedPod,
  basePath: FieldPath,
  { project }: ProjectContext,
): readonly Problem[] {
  const beyondBaseline = new Set<string>();
  rejectedFields(spec, basePath, 'baseline', (path) => beyondBaseline.add(path.join('.')));
  const { metadata, spec: assumed } = project;
  return problems.map((problem) => ({
    ...problem,
    reason: `is rejected by Pod Security "${assumed.podSecurity}", which is assumed because no manifest defines Project ${metadata.name}`,
    remedy: `${problem.remedy}, or add the Project with podSecurity: ${beyondBaseline.has(problem.path.join('.')) ? 'privileged' : 'baseline'}`,
  }));
}

function rejectedFields(spec: CheckedPod, basePath: FieldPath, level: Level, reject: Reject): void {
  spec.volumes?.forEach((volume, index) => {
    const source =
      Object.keys(volume).find((key) => key !== 'name' && volume[key as keyof typeof volume] !== undefined) ?? '';
    if (source === 'hostPath' || (level === 'restricted' && source !== '' && !restrictedVolumes.has(source))) {
      reject(
        [...basePath, 'volumes', index, source],
        undefined,
        `use a volume that the level allows, or a ${kindsWith('perNode', true).join(' or ')}`,
      );
    }
  });
  hostProblems(spec.securityContext, [...basePath, 'securityContext'], reject);
  spec.securityContext?.sysctls?.forEach(({ name }, index) => {
    if (!safeSysctls.has(name)) reject([...basePath, 'securityContext', 'sysctls', index, 'name'], name, 'remove it');
  });
  if (level === 'restricted') userProblems(spec.securityContext, [...basePath, 'securityContext'], reject);
  for (const list of ['containers', 'initContainers'] as const) {
    spec[list]?.forEach((container, index) =>
      containerProblems(container, [...basePath, list, index], level === 'restricted', reject),
    );
  }
}

/** Sysctls that Kubernetes considers safe: they affect only the pod. */
const safeSysctls = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.tcp_wmem',
]);
const containerTypes = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']);

type IsolationFields = Pick<
  SecurityContext,
  'appArmorProfile' | 'seLinuxOptions' | 'seccompProfile' | 'windowsOptions'
>;

/** Reports settings that weaken the isolation of a pod or a container from its node. */
function hostProblems(security: IsolationFields | undefined, path: FieldPath, reject: Reject): void {
  const { appArmorProfile, seLinuxOptions = {}, seccompProfile, windowsOptions } = security ?? {};
  if (seccompProfile?.type === 'Unconfined')
    reject([...path, 'seccompProfile', 'type'], 'Unconfined', 'use RuntimeDefault, or remove it');
  if (appArmorProfile?.type === 'Unconfined')
    reject([...path, 'appArmorProfile', 'type'], 'Unconfined', 'use RuntimeDefault, or remove it');
  if (windowsOptions?.hostProcess) reject([...path, 'windowsOptions', 'hostProcess'], true, 'remove it');
  for (const field of ['user', 'role', 'type'] as const) {
    const value = seLinuxOptions[field] ?? '';
    if (field === 'type' ? !containerTypes.has(value) : value !== '')
      reject([...path, 'seLinuxOptions', field], value, 'remove it');
  }
}

/** Reports probes and hooks that the kubelet would send to hosts other than the pod. */
function handlerHostProblems(container: Container, path: FieldPath, reject: Reject): void {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  const handlers = [
    [['livenessProbe'], livenessProbe],
    [['readinessProbe'], readinessProbe],
    [['startupProbe'], startupProbe],
    [['lifecycle', 'postStart'], lifecycle?.postStart],
    [['lifecycle', 'preStop'], lifecycle?.preStop],
  ] as const;
  for (const [field, handler] of handlers) {
    for (const handlerType of ['httpGet', 'tcpSocket'] as const) {
      const host = handler?.[handlerType]?.host;
      if (host) reject([...path, ...field, handlerType, 'host'], host, 'remove it; probes use the address of the pod');
    }
  }
}

type Reject = (path: FieldPath, value: unknown, remedy: string) => void;
type UserFields =
  | {
      readonly runAsNonRoot?: boolean | undefined;
      readonly runAsUser?: number | undefined;
    }
  | undefined;

function userProblems(security: UserFields, path: FieldPath, reject: Reject): void {
  if (security?.runAsNonRoot === false)
    reject([...path, 'runAsNonRoot'], false, 'remove it and run as a non-root user');
  if (security?.runAsUser === 0) reject([...path, 'runAsUser'], 0, 'use a user other than 0');
}

function containerProblems(container: Container, path: FieldPath, restricted: boolean, reject: Reject): void {
  const security = container.securityContext;
  const basePath = [...path, 'securityContext'];
  hostProblems(security, basePath, reject);
  handlerHostProblems(container, path, reject);
  if (security?.privileged) reject([...basePath, 'privileged'], true, 'remove it');
  if (security?.procMount && security.procMount !== 'Default')
    reject([...basePath, 'procMount'], security.procMount, 'remove it');
  container.ports?.forEach((port, index) => {
    if (port.hostPort)
      reject([...path, 'ports', index, 'hostPort'], port.hostPort, 'remove it and use a load balancer');
  });
  security?.capabilities?.add?.forEach((capability, index) => {
    const isAllowed = restricted ? capability === 'NET_BIND_SERVICE' : baselineCapabilities.has(capability);
    if (!isAllowed)
      reject(
        [...basePath, 'capabilities', 'add', index],
        capability,
        restricted ? 'remove it; only NET_BIND_SERVICE may be added' : 'remove it',
      );
  });
  if (!restricted) return;
  userProblems(security, basePath, reject);
  if (security?.allowPrivilegeEscalation) reject([...basePath, 'allowPrivilegeEscalation'], true, 'remove it');
  if (security?.capabilities?.drop && !security.capabilities.drop.includes('ALL'))
    reject([...basePath, 'capabilities', 'drop'], security.capabilities.drop, 'drop ALL, or remove it');
}
