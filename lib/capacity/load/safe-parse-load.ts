import { isError, isPlainObject, schemaProblems, type Problem } from '../../api';
import { applyLoadDefaults, loadSchema, controlPlanePrograms, type Load } from './load';
import { loadProblems, removedOverride } from './load-problems';

/** Reads the description of a load; complete where nothing in it is wrong. */
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

/** Programs of a cluster whose flags nobody adds to. */
const otherPrograms = new Set(['etcd', 'etcd-events', 'etcd-leases', 'cluster-autoscaler', 'kubelet', 'kube-proxy']);

/** An override that an older version knew says what works instead. */
function ofOld(problem: Problem, input: unknown): Problem {
  const [first, name] = problem.path;
  if (first === 'flags' && typeof name === 'string' && problem.path.length === 2 && otherPrograms.has(name))
    return {
      ...problem,
      code: 'not-available',
      reason: 'is a program whose flags are planned alone',
      remedy: `use overrides; flags can be added to ${controlPlanePrograms.join(', ')}`,
    };
  if (problem.code !== 'unknown-field' || first !== 'overrides' || typeof name !== 'string') return problem;
  const lost = removedOverride(name);
  const version = isPlainObject(input) ? String(input['kubernetes']) : '';
  return lost
    ? { ...problem, code: 'unsupported-field', reason: `${lost.since} (this is ${version})`, remedy: lost.instead }
    : problem;
}

/** Stand for fields that must be given and cannot be read, so that the others are examined too. */
const stand = {
  region: 'us-east-1',
  zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
  kubernetes: '1.36',
  nodes: 1_000_000,
  pods: 0,
};

/** What a problem of a field may follow from: where one of these was not read, it is not told. */
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

/** What is wrong across the fields that can be read, beside those that cannot. */
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

/** The overrides or flags of a load without those that have faults; nothing of another field. */
function withoutFaults(value: unknown, field: string, faults: readonly Problem[]): unknown {
  if ((field !== 'overrides' && field !== 'flags') || !isPlainObject(value)) return undefined;
  const bad = new Set(faults.filter(({ path }) => path[0] === field).map(({ path: [, name] }) => String(name)));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !bad.has(name)));
}
