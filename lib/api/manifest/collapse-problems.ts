import { formatPath, isError, type FieldPath, type Problem } from '../problem';
import { valueAt } from '../values/value-at';

/** Number of problems of the same kind in one list or map up to which each is reported. */
const maxAlike = 16;

/**
 * Returns the problems of a manifest without those that only follow from a more specific error: one mistake, one message.
 * A manifest with errors keeps at least one of them.
 */
export function collapseProblems(problems: readonly Problem[], input: unknown): readonly Problem[] {
  if (problems.length < 2) return problems;
  // A warning does not stop a command, so that it must not stand for an error.
  const at = pathIndex(problems.filter(isError));
  return withoutAlike(
    problems.filter((problem) => !follows.some((isConsequence) => isConsequence(problem, at, input))),
  );
}

/** Errors by path. */
interface PathIndex {
  /** Returns the errors of exactly a path. */
  of(path: FieldPath): readonly Problem[];
  /** Returns whether a path, or anything in it, has an error. */
  hasIn(path: FieldPath): boolean;
}

type Consequence = (problem: Problem, at: PathIndex, input: unknown) => boolean;

/** A required field that is there with a typo in its name. */
const isMisspelled: Consequence = ({ code, path }, at) =>
  code === 'required' &&
  at.of([...path.slice(0, -1), '*']).some((other) => other.remedy === `did you mean "${String(path.at(-1))}"?`);

/** Duplicates in a list or map that is too large. */
const isOfTooMany: Consequence = ({ code, path }, at) =>
  code === 'duplicate' &&
  path.some((_, length) =>
    at.of(path.slice(0, length)).some((other) => other.code === 'out-of-range' && other.value === undefined),
  );

/** A second field of an entry that is an exact copy of an earlier one. */
const isOfCopy: Consequence = ({ code, path }, at, input) => {
  const index = path.findLastIndex((step) => typeof step === 'number');
  if (code !== 'duplicate' || index < 0) return false;
  const [entryPath, listPath] = [path.slice(0, index + 1), path.slice(0, index)];
  const list = valueAt(input, listPath);
  const text = JSON.stringify(valueAt(input, entryPath));
  const isCopy =
    Array.isArray(list) &&
    (list as readonly unknown[]).slice(0, Number(path[index])).some((other) => JSON.stringify(other) === text);
  const [first] = at.of([...entryPath, '*']).filter((other) => other.code === 'duplicate');
  return isCopy && first !== undefined && formatPath(first.path) !== formatPath(path);
};

/** A mount of a volume that is not known because of errors: its own entry has one, or the name of an entry is invalid. */
const isOfInvalidVolume: Consequence = ({ rule, path, value }, at, input) => {
  if (rule !== 'mounts-name-volumes') return false;
  const list = path.findLastIndex((step) => step === 'containers' || step === 'initContainers');
  const volumes = [...path.slice(0, list), 'volumes'];
  const isUnknown = (volume: FieldPath): boolean =>
    (at.hasIn(volume) && valueAt(input, [...volume, 'name']) === value) ||
    at.of(volume).length > 0 ||
    at.of([...volume, 'name']).some(({ code }) => code !== 'duplicate');
  const entries = valueAt(input, volumes);
  return (
    at.of(volumes).length > 0 || (Array.isArray(entries) && entries.some((_, index) => isUnknown([...volumes, index])))
  );
};

/** A request above a limit that has a problem of its own. */
const isAboveInvalidLimit: Consequence = ({ rule, path }, at) =>
  rule === 'requests-within-limits' && at.hasIn([...path.slice(0, -2), 'limits', ...path.slice(-1)]);

/** A target port without a port, where the load balancer has no ports at all. */
const isOfMissingPort: Consequence = ({ rule, path }, at) =>
  rule === 'load-balancer-target' && at.of(path.slice(0, -1)).some((other) => other.rule === 'load-balancer-ports');

const follows = [isMisspelled, isOfTooMany, isOfCopy, isOfInvalidVolume, isAboveInvalidLimit, isOfMissingPort];

function pathIndex(problems: readonly Problem[]): PathIndex {
  const byPath = new Map<string, Problem[]>();
  const around = new Set<string>();
  const add = (key: string, problem: Problem) => {
    const known = byPath.get(key);
    if (known) known.push(problem);
    else byPath.set(key, [problem]);
  };
  for (const problem of problems) {
    const { path } = problem;
    add(keyOf(path), problem);
    // The problems of the fields of an object.
    add(keyOf([...path.slice(0, -1), '*']), problem);
    for (let length = 1; length <= path.length; length++) around.add(keyOf(path.slice(0, length)));
  }
  return { of: (path) => byPath.get(keyOf(path)) ?? [], hasIn: (path) => around.has(keyOf(path)) };
}

const keyOf = (path: FieldPath): string => JSON.stringify(path);

/** Returns the problems with only the first of many of the same kind in one list or map, which says how many there are. */
function withoutAlike(problems: readonly Problem[]): readonly Problem[] {
  const groups = new Map<string, number>();
  for (const problem of problems) groups.set(groupOf(problem), (groups.get(groupOf(problem)) ?? 0) + 1);
  const reported = new Set<string>();
  return problems.flatMap((problem) => {
    const group = groupOf(problem);
    const count = groups.get(group) ?? 0;
    if (count <= maxAlike) return problem;
    if (reported.has(group)) return [];
    reported.add(group);
    return { ...problem, reason: `${problem.reason} (and ${count - 1} more beside it)` };
  });
}

/** Returns what problems of the same kind have in common: known fields of the entries of a list are of different kinds. */
function groupOf({ code, rule, path }: Problem): string {
  const isKnownField = typeof path.at(-2) === 'number' && code !== 'unknown-field';
  const place = (isKnownField ? path : path.slice(0, -1)).map((step) => (typeof step === 'number' ? '*' : step));
  return `${code} ${rule ?? ''} ${keyOf(place)}`;
}
