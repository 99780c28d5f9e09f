import { formatPath, isError, valueAt, type FieldPath, type Problem } from '../../../api';
import { type Fields } from './fields';
import { type Note } from './note';
import { shownValue } from './shown-value';

/** Limit that exceeds the number of rejected fields of any document. */
const maxRounds = 200;

/**
 * Removes rejected fields from a manifest, each with a note, until no more can be removed.
 *
 * Required fields stay, and their problems are returned.
 */
export function removeRejectedFields(
  document: Fields,
  problemsOf: (document: Fields) => readonly Problem[],
  notes: Note[],
): { readonly document: Fields; readonly problems: readonly Problem[] } {
  let current = document;
  for (let round = 0; round < maxRounds; round++) {
    const errors = problemsOf(current).filter(isError);
    const found = errors
      .map((problem) => ({ problem, removable: removablePath(problem, current) }))
      .find(({ removable }) => removable);
    if (!found?.removable) return { document: current, problems: errors };
    const { problem } = found;
    const removable = wholeEntry(current, found.removable, problemsOf);
    notes.push({
      subject: labelOf(current, removable),
      message: `omitted: ${problem.reason}; ${problem.remedy}; was ${shownValue(valueAt(current, removable), nameAt(current, removable))}`,
    });
    current = removedAt(current, removable) as Fields;
  }
  return { document: current, problems: problemsOf(current).filter(isError) };
}

/** Returns the path to remove: the field, or the list entry if the field is its name; undefined if it is required. */
function removablePath({ code, path }: Problem, document: Fields): FieldPath | undefined {
  if (code === 'required') return undefined;
  // Only the user can decide about access to the node, so it stays as a problem.
  if (code === 'not-available' && isAt(path, ['spec', 'host'])) return undefined;
  const isName = path.at(-1) === 'name' && typeof path.at(-2) === 'number';
  const target = isName ? path.slice(0, -1) : path;
  return valueAt(document, target) === undefined || isRequired(target) ? undefined : target;
}

/** Returns a path, or that of the list entry around it if the entry is invalid without the field. */
function wholeEntry(
  document: Fields,
  path: FieldPath,
  problemsOf: (document: Fields) => readonly Problem[],
): FieldPath {
  const entry = path.slice(0, path.findLastIndex((step) => typeof step === 'number') + 1);
  if (entry.length === 0 || entry.length === path.length || isRequired(entry)) return path;
  const isMissing = problemsOf(removedAt(document, path) as Fields).some(
    (problem) => problem.code === 'required' && formatPath(problem.path) === formatPath(path),
  );
  return isMissing ? entry : path;
}

const isAt = (path: FieldPath, start: FieldPath): boolean => start.every((step, index) => path[index] === step);

const requiredPath =
  /^(spec(\.replicatedJobs(\[\d+\](\.name)?)?)?|spec(\.replicatedJobs\[\d+\]|\.roles\.\w+)?\.template(\.spec(\.containers(\[\d+\])?(\.(name|image))?)?)?|spec\.schedule|spec\.volumeClaimTemplates.*|spec\.host|metadata(\.(name|namespace))?|\(document\))$/;
const isRequired = (path: FieldPath): boolean => requiredPath.test(formatPath(path));

/** Returns the name of a field: its key, or the name beside it if it is the value of a list entry. */
function nameAt(document: Fields, path: FieldPath): string {
  const name = path.at(-1) === 'value' ? valueAt(document, [...path.slice(0, -1), 'name']) : undefined;
  return String(name ?? path.at(-1));
}

function labelOf(document: Fields, path: FieldPath): string {
  const name = valueAt(document, [...path, 'name']);
  return `${formatPath(path)}${typeof name === 'string' ? ` (${name})` : ''}`;
}

/** Returns the value without the field at a path, and without objects and lists that become empty. */
function removedAt(value: unknown, [step, ...rest]: FieldPath): unknown {
  if (typeof value !== 'object' || value === null || step === undefined) return value;
  if (Array.isArray(value)) {
    const list = value as readonly unknown[];
    return rest.length === 0
      ? list.filter((_, index) => index !== step)
      : list.map((entry, index) => (index === step ? removedAt(entry, rest) : entry));
  }
  const entries = Object.entries(value as Fields).flatMap(([key, entry]): [string, unknown][] => {
    if (key !== step) return [[key, entry]];
    const remaining = rest.length === 0 ? undefined : removedAt(entry, rest);
    return isEmptyValue(remaining) ? [] : [[key, remaining]];
  });
  return Object.fromEntries(entries);
}

const isEmptyValue = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
