import { formatPath, isError, valueAt, type FieldPath, type Problem } from '../../../api';
import { type Fields } from './fields';
import { type Note } from './note';

/** More rounds than any document has fields that are refused. */
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
    const found = errors.map((problem) => ({ problem, place: placeOf(problem, current) })).find(({ place }) => place);
    if (!found?.place) return { document: current, problems: errors };
    const { problem, place } = found;
    notes.push({ about: labelOf(current, place), message: `omitted: ${problem.reason}; ${problem.remedy}` });
    current = removedAt(current, place) as Fields;
  }
  return { document: current, problems: problemsOf(current).filter(isError) };
}

/** Returns the path to remove: the field itself, or the list entry that it names; undefined if it must stay. */
function placeOf({ code, path }: Problem, document: Fields): FieldPath | undefined {
  if (code === 'required') return undefined;
  const isName = path.at(-1) === 'name' && typeof path.at(-2) === 'number';
  const place = isName ? path.slice(0, -1) : path;
  return valueAt(document, place) === undefined || mustStay(place) ? undefined : place;
}

const skeleton =
  /^(spec(\.template(\.spec(\.containers(\[\d+\])?(\.(name|image))?)?)?)?|spec\.schedule|spec\.volumeClaimTemplates.*|spec\.host|metadata(\.(name|namespace))?|\(document\))$/;
const mustStay = (place: FieldPath): boolean => skeleton.test(formatPath(place));

function labelOf(document: Fields, place: FieldPath): string {
  const name = valueAt(document, [...place, 'name']);
  return `${formatPath(place)}${typeof name === 'string' ? ` (${name})` : ''}`;
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
    const left = rest.length === 0 ? undefined : removedAt(entry, rest);
    return isNothing(left) ? [] : [[key, left]];
  });
  return Object.fromEntries(entries);
}

const isNothing = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
