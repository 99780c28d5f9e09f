import { type ProjectContext } from '../../../expand';
import { entriesAt, fieldsAt, type Fields } from './fields';
import { type AddNote } from './note';

/** Returns the names of the containers that run as root unless their image names another user. */
export function rootContainersOf(pod: Fields): readonly string[] {
  const shared = fieldsAt(pod, 'securityContext');
  return [...entriesAt(pod, 'initContainers'), ...entriesAt(pod, 'containers')]
    .filter((container) => {
      const { runAsNonRoot, runAsUser } = { ...shared, ...fieldsAt(container, 'securityContext') };
      return runAsNonRoot !== true && (runAsUser === undefined || runAsUser === 0);
    })
    .map(({ name }) => String(name));
}

/** Adds a note if a restricted project keeps containers from running as root, as their images may do. */
export function noteRootContainers(pod: Fields, { project, assumed }: ProjectContext, note: AddNote): void {
  const names = rootContainersOf(pod);
  if (project.spec.podSecurity !== 'restricted' || names.length === 0) return;
  const { name } = project.metadata;
  const isAssumed = assumed.includes('Project') ? ', which is assumed because no manifest defines it,' : '';
  const effect = `; Pod Security "restricted" of Project ${name}${isAssumed} adds runAsNonRoot: true and drops all capabilities: if the image runs as root, the container does not start; set securityContext.runAsUser, or podSecurity: baseline in the Project`;
  const containers = `${names.length === 1 ? 'container' : 'containers'} ${names.join(', ')}`;
  note('template.spec.securityContext', `${containers} may run as root${effect}`, effect);
}
