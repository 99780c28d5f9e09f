import { type Container, type FieldPath, type Problem, type Workload } from '../api';
import { templatesOf } from './unsupported-fields';
import { type World } from './world';

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
 * Reports what a person's pods ask for and the project's Pod Security level refuses.
 *
 * The API server would accept the workload and refuse its pods later, out of sight. Source: the Pod Security Standards of Kubernetes.
 */
export function podSecurityProblems(workload: Workload, world: World, report: (problem: Problem) => void): void {
  const level = world.project.spec.podSecurity;
  if (level === 'privileged') return;
  const refuse = (path: FieldPath, value: unknown, remedy: string) =>
    report({
      code: 'not-offered',
      path,
      value,
      reason: `is refused by Pod Security "${level}", which the project enforces`,
      remedy,
      rule: 'pod-security',
    });
  for (const { template, path } of templatesOf(workload)) {
    const { spec } = template;
    const at = [...path, 'spec'];
    spec.volumes?.forEach((volume, index) => {
      const source =
        Object.keys(volume).find((key) => key !== 'name' && volume[key as keyof typeof volume] !== undefined) ?? '';
      if (source === 'hostPath' || (level === 'restricted' && source !== '' && !restrictedVolumes.has(source))) {
        refuse(
          [...at, 'volumes', index, source],
          undefined,
          'use a volume that the level allows, or a PinterestDaemon',
        );
      }
    });
    if (level === 'restricted') userProblems(spec.securityContext, [...at, 'securityContext'], refuse);
    for (const list of ['containers', 'initContainers'] as const) {
      spec[list]?.forEach((container, index) =>
        containerProblems(container, [...at, list, index], level === 'restricted', refuse),
      );
    }
  }
}

type Refuse = (path: FieldPath, value: unknown, remedy: string) => void;
type Users =
  | {
      readonly runAsNonRoot?: boolean | undefined;
      readonly runAsUser?: number | undefined;
      readonly seccompProfile?: { readonly type: string } | undefined;
    }
  | undefined;

function userProblems(context: Users, path: FieldPath, refuse: Refuse): void {
  if (context?.runAsNonRoot === false)
    refuse([...path, 'runAsNonRoot'], false, 'remove it and run as another user than root');
  if (context?.runAsUser === 0) refuse([...path, 'runAsUser'], 0, 'use a user other than 0');
  if (context?.seccompProfile?.type === 'Unconfined')
    refuse([...path, 'seccompProfile', 'type'], 'Unconfined', 'use RuntimeDefault, or leave it out');
}

function containerProblems(container: Container, path: FieldPath, restricted: boolean, refuse: Refuse): void {
  const context = container.securityContext;
  const at = [...path, 'securityContext'];
  if (context?.privileged) refuse([...at, 'privileged'], true, 'remove it');
  if (context?.procMount && context.procMount !== 'Default')
    refuse([...at, 'procMount'], context.procMount, 'remove it');
  container.ports?.forEach((port, index) => {
    if (port.hostPort)
      refuse([...path, 'ports', index, 'hostPort'], port.hostPort, 'remove it and use a load balancer');
  });
  context?.capabilities?.add?.forEach((capability, index) => {
    const fits = restricted ? capability === 'NET_BIND_SERVICE' : baselineCapabilities.has(capability);
    if (!fits)
      refuse(
        [...at, 'capabilities', 'add', index],
        capability,
        restricted ? 'remove it; only NET_BIND_SERVICE may be added' : 'remove it',
      );
  });
  if (!restricted) return;
  userProblems(context, at, refuse);
  if (context?.allowPrivilegeEscalation) refuse([...at, 'allowPrivilegeEscalation'], true, 'remove it');
  if (context?.capabilities?.drop && !context.capabilities.drop.includes('ALL'))
    refuse([...at, 'capabilities', 'drop'], context.capabilities.drop, 'drop ALL, or leave it out');
}
