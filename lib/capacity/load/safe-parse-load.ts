import { isError, isPlainObject, schemaProblems, type Problem } from '../../api';
import { applyLoadDefaults, loadSchema, controlPlanePrograms, type Load } from './load';
import { loadProblems, removedOverride } from './load-problems';

/** Result of parsing a load description; `load` is present if there is no error. */
export function safeParseLoad(input: unknown): { readonly load?: Load; readonly problems: readonly Problem[] } {
  const parsed = loadSchema.safeParse(input, { reportInput: false });
  if (!parsed.success) {
    const faults = schemaProblems(loadSchema, input, parsed.error.issues, []).map((one) => ofOld(one, input));
    return { problems: [...faults, ...otherProblems(input, faults)] };
  }
  const load = applyLoadDefaults(parsed.data);
  const problems = loadProblems(load);
  return problems.some(isError) ? { problems } : { load, problems };
}

/** Programs of a cluster that accept no extra flags. */
const otherPrograms = new Set(['etcd', 'etcd-events', 'etcd-leases', 'cluster-autoscaler', 'kubelet', 'kube-proxy']);

/** Replaces problems of removed names by what replaces them. */
function ofOld(problem: Problem, input: unknown): Problem {
  const [first, name] = problem.path;
  if (first === 'flags' && typeof name === 'string' && problem.path.length === 2 && otherPrograms.has(name))
    return {
      ...problem,
      code: 'not-available',
      reason: 'does not support extra flags',
      remedy: `use overrides; flags can be added to ${controlPlanePrograms.join(', ')}`,
    };
  if (problem.code !== 'unknown-field' || first !== 'overrides' || typeof name !== 'string') return problem;
  const lost = removedOverride(name);
  const version = isPlainObject(input) ? String(input['kubernetes']) : '';
  return lost
    ? { ...problem, code: 'unsupported-field', reason: `${lost.since} (this is ${version})`, remedy: lost.instead }
    : problem;
}

/** Placeholders for required fields that cannot be parsed, so that the others are still checked. */
const stand = {
  region: 'us-east-1',
  zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
  kubernetes: '1.36',
  nodes: 1_000_000,
  pods: 0,
};

/** Fields that a problem may follow from: it is not reported if one of them could not be parsed. */
const dependsOn: Readonly<Record<string, readonly string[]>> = {
  region: ['region'],
  zones: ['region', 'zones'],
  pods: ['nodes', 'pods'],
  largestNamespacePods: ['nodes', 'pods', 'largestNamespacePods'],
  customResources: ['customResources'],
  mix: ['nodes', 'mix'],
  flags: ['kubernetes'],
  overrides: ['region', 'zones', 'kubernetes', 'mix'],
};

/** Returns the problems across the fields that could be parsed. */
function otherProblems(input: unknown, faults: readonly Problem[]): Problem[] {
  if (!isPlainObject(input) || faults.some(({ path }) => path.length === 0)) return [];
  const faulty = new Set(faults.map(({ path: [first] }) => String(first)));
  const kept = Object.entries(input).map(([field, value]): [string, unknown] => [
    field,
    faulty.has(field) ? withoutFaults(value, field, faults) : value,
  ]);
  const rest: Record<string, unknown> = Object.fromEntries(kept.filter(([, value]) => value !== undefined));
  const standing = Object.fromEntries(Object.entries(stand).filter(([field]) => rest[field] === undefined));
  const parsed = loadSchema.safeParse({ ...rest, ...standing }, { reportInput: false });
  if (!parsed.success) return [];
  const unread = (field: string): boolean => faulty.has(field) && rest[field] === undefined;
  return loadProblems(applyLoadDefaults(parsed.data)).filter(
    ({ path: [first] }) => !(dependsOn[String(first)] ?? []).some(unread),
  );
}

/** Returns the overrides or flags without the faulty ones. */
function withoutFaults(value: unknown, field: string, faults: readonly Problem[]): unknown {
  if ((field !== 'overrides' && field !== 'flags') || !isPlainObject(value)) return undefined;
  const bad = new Set(faults.filter(({ path }) => path[0] === field).map(({ path: [, name] }) => String(name)));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !bad.has(name)));
}
