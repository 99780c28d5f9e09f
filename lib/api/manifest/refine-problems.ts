import { formatPath, type FieldPath, type Problem } from '../problem';
import { collapseProblems } from './collapse-problems';
import { isPlainObject } from '../values/plain-object';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the problems of a manifest with what only the whole manifest shows: consequences of others are omitted, and a
 * mount of a volume that another field mounts names that field.
 */
export function refineProblems(problems: readonly Problem[], input: Fields): readonly Problem[] {
  return collapseProblems(problems, input).map((problem) =>
    problem.rule === 'mounts-name-volumes' ? ofOwnVolume(problem, input['spec']) : problem,
  );
}

/** Returns the problem of a mount with the field that already mounts the volume, if there is one. */
function ofOwnVolume(problem: Problem, spec: unknown): Problem {
  const field = isPlainObject(spec) ? ownVolume(spec, String(problem.value), ['spec']) : undefined;
  if (field === undefined) return problem;
  const { path, mountPath } = field;
  const reason = `is not a volume of the template, and ${formatPath(path)} mounts it at ${mountPath} in every container of the app`;
  return { ...problem, reason, remedy: 'remove this mount' };
}

interface OwnVolume {
  readonly path: FieldPath;
  readonly mountPath: string;
}

/** Finds an entry with a name and a mount path, or a field with the name and a mount path, outside of templates. */
function ownVolume(fields: Fields, name: string, at: FieldPath): OwnVolume | undefined {
  for (const [key, value] of Object.entries(fields)) {
    if (key === 'template' || key === 'roles' || key === 'sidecars') continue;
    const entries = Array.isArray(value) ? (value as unknown[]) : [];
    const index = entries.findIndex((entry) => isPlainObject(entry) && entry['name'] === name);
    const entry = entries[index];
    if (isPlainObject(entry) && typeof entry['mountPath'] === 'string')
      return { path: [...at, key, index], mountPath: entry['mountPath'] };
    if (!isPlainObject(value)) continue;
    if (key === name && typeof value['mountPath'] === 'string')
      return { path: [...at, key], mountPath: value['mountPath'] };
    const nested = at.length === 1 ? ownVolume(value, name, [...at, key]) : undefined;
    if (nested) return nested;
  }
  return undefined;
}
