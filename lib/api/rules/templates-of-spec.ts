import { isPlainObject } from '../values/plain-object';
import { type FieldPath } from '../problem';
import { entryListAt } from './own-volumes';

type Fields = Readonly<Record<string, unknown>>;

/** Pod template of a spec that may be invalid, with its path under the spec. */
export interface TemplateOfSpec {
  readonly pod: Fields;
  readonly path: FieldPath;
}

/** Container of a pod template, with its path under the spec. */
export interface ContainerOfSpec {
  readonly container: Fields;
  readonly path: FieldPath;
}

/** Lists the pods of a spec: that of its template, and those of the templates of its roles and jobs. */
export function templatesOfSpec(self: Fields): readonly TemplateOfSpec[] {
  const found: TemplateOfSpec[] = [];
  const add = (template: unknown, path: FieldPath) => {
    const pod = isPlainObject(template) ? template['spec'] : undefined;
    if (isPlainObject(pod)) found.push({ pod, path: [...path, 'spec'] });
  };
  add(self['template'], ['template']);
  for (const [role, { template }] of rolesOf(self)) add(template, ['roles', role, 'template']);
  entryListAt(self, ['replicatedJobs']).forEach(({ template }, index) =>
    add(template, ['replicatedJobs', index, 'template']),
  );
  return found;
}

/** Lists the pods that a spec runs: a role without a template has that of the spec. */
export function podsOfSpec(self: Fields): readonly TemplateOfSpec[] {
  const roles = rolesOf(self);
  const isShared = roles.length === 0 || roles.some(([, role]) => role['template'] === undefined);
  return templatesOfSpec(self).filter(({ path }) => isShared || path[0] !== 'template');
}

/** Lists the containers of the pod templates of a spec. */
export function containersOfSpec(self: Fields): readonly ContainerOfSpec[] {
  const found: ContainerOfSpec[] = [];
  for (const { pod, path } of templatesOfSpec(self))
    for (const list of ['containers', 'initContainers'] as const)
      if (pod[list] !== undefined)
        entryListAt(pod, [list]).forEach((container, index) => found.push({ container, path: [...path, list, index] }));
  return found;
}

function rolesOf(self: Fields): readonly (readonly [string, Fields])[] {
  const roles = self['roles'];
  if (!isPlainObject(roles)) return [];
  return Object.entries(roles).map(([name, role]) => [name, isPlainObject(role) ? role : {}]);
}
