import { isPlainObject } from '../values/plain-object';
import { type FieldPath } from '../problem';
import { entryListAt } from './own-volumes';
import { valueAt } from '../values/value-at';

type Fields = Readonly<Record<string, unknown>>;

/** Pod template of a spec that may be invalid, with its path under the spec. */
export interface TemplateOfSpec {
  readonly pod: Fields;
  readonly path: FieldPath;
}

/** Container of a pod template, with its path under the spec. */
export interface ContainerOfSpec {
  readonly container: Fields;
  readonly list: 'containers' | 'initContainers';
  readonly path: FieldPath;
}

/** Lists the pods of a spec: that of its template, and those of the templates of its roles. */
export function templatesOfSpec(self: Fields): readonly TemplateOfSpec[] {
  const paths = [['template'], ...rolesOf(self).map(([role]) => ['roles', role, 'template'])];
  return paths.flatMap((path) => {
    const pod = valueAt(self, [...path, 'spec']);
    return isPlainObject(pod) ? [{ pod, path: [...path, 'spec'] }] : [];
  });
}

/** Lists the pods that a spec runs: a role without a template has that of the spec. */
export function podsOfSpec(self: Fields): readonly TemplateOfSpec[] {
  const roles = rolesOf(self);
  const isShared = roles.length === 0 || roles.some(([, role]) => role['template'] === undefined);
  return templatesOfSpec(self).filter(({ path }) => isShared || path[0] !== 'template');
}

/** Lists the containers of the pod templates of a spec. */
export const containersOfSpec = (self: Fields): readonly ContainerOfSpec[] =>
  templatesOfSpec(self).flatMap(({ pod, path }) =>
    (['containers', 'initContainers'] as const).flatMap((list) =>
      entryListAt(pod, [list]).map((container, index) => ({ container, list, path: [...path, list, index] })),
    ),
  );

function rolesOf(self: Fields): readonly (readonly [string, Fields])[] {
  const roles = self['roles'];
  return isPlainObject(roles) ? (Object.entries(roles) as [string, Fields][]) : [];
}
