import { type Container, type PodSpec, type SecurityContext } from '../../api';
import { freeze } from '../objects/freeze';
import { type ProjectContext } from '../project-context';

const containerDefaults: SecurityContext = freeze({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
const podDefaults = freeze({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' as const } });

/**
 * Sets the defaults of Pod Security "restricted" on a container of a restricted project; its own fields take
 * precedence.
 */
export function withSecurityDefaults(container: Container, context: ProjectContext): Container {
  if (context.project.spec.podSecurity !== 'restricted') return container;
  const own = container.securityContext;
  if (own === undefined) return { ...container, securityContext: containerDefaults };
  const capabilities = { ...containerDefaults.capabilities, ...own.capabilities };
  return { ...container, securityContext: { ...containerDefaults, ...own, capabilities } };
}

/** Sets the defaults of Pod Security "restricted" on a pod of a restricted project; its own fields take precedence. */
export function withPodSecurityDefaults(
  own: PodSpec['securityContext'],
  context: ProjectContext,
): PodSpec['securityContext'] {
  if (context.project.spec.podSecurity !== 'restricted') return own;
  return own === undefined ? podDefaults : { ...podDefaults, ...own };
}
