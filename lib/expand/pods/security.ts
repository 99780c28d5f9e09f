import { type Container, type PodSpec, type SecurityContext } from '../../api';
import { freeze } from '../objects/freeze';
import { type ProjectContext } from '../project-context';

const containerDefaults: SecurityContext = freeze({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
const podDefaults = freeze({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' as const } });

/** Sets on a container what Pod Security "restricted" asks for, where the project is restricted and the person said nothing. */
export function secured(container: Container, context: ProjectContext): Container {
  if (context.project.spec.podSecurity !== 'restricted') return container;
  const own = container.securityContext;
  if (own === undefined) return { ...container, securityContext: containerDefaults };
  const capabilities = { ...containerDefaults.capabilities, ...own.capabilities };
  return { ...container, securityContext: { ...containerDefaults, ...own, capabilities } };
}

/** The same for the pod. */
export function securedPod(own: PodSpec['securityContext'], context: ProjectContext): PodSpec['securityContext'] {
  if (context.project.spec.podSecurity !== 'restricted') return own;
  return own === undefined ? podDefaults : { ...podDefaults, ...own };
}
