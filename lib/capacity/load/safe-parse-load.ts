import { isError, isPlainObject, schemaProblems, type Problem } from '../../api';
import { applyLoadDefaults, loadSchema, controlPlanePrograms, type Load } from './load';
import { loadProblems, removedOverride } from './load-problems';

/** Result of parsing a load description; `load` is present if there is no error. */
export function safeParseLoad(input: unknown): { readonly load?: Load; readonly problems: readonly Problem[] } {
  const parsed = loadSchema.safeParse(input, { reportInput: false });
  if (!parsed.success) {
    const problems = schemaProblems(loadSchema, input, parsed.error.issues, []).map((one) =>
      withReplacement(one, input),
    );
    return { problems: [...problems, ...otherProblems(input, problems)] };
  }
  const load = applyLoadDefaults(parsed.data);
  const problems = loadProblems(load);
  return problems.some(isError) ? { problems } : { load, problems };
}

/** Programs that do not accept extra flags. */
const otherPrograms = new Set(['etcd', 'etcd-events', 'etcd-leases', 'cluster-autoscaler', 'kubelet', 'kube-proxy']);

/** Adds the replacement to the problem of a removed override, and the supported programs to that of an unsupported one. */
function withReplacement(problem: Problem, input: unknown): Problem {
  const [first, name] = problem.path;
  if (first === 'flags' && typeof name === 'string' && problem.path.length === 2 && otherPrograms.has(name))
    return {
      ...problem,
      code: 'not-available',
      reason: 'does not support extra flags',
      remedy: `use overrides; flags can be added to ${controlPlanePrograms.join(', ')}`,
    };
  if (problem.code !== 'unknown-field' || first !== 'overrides' || typeof name !== 'string') return problem;
  const removal = removedOverride(name);
  const version = isPlainObject(input) ? String(input['kubernetes']) : '';
  return removal
    ? {
        ...problem,
        code: 'unsupported-field',
        reason: `${removal.reason} (this is ${version})`,
        remedy: removal.remedy,
      }
    : problem;
}

/** Placeholders for missing or invalid required fields, so that the other fields are still checked. */
const placeholders = {
  region: 'us-east-1',
  zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
  kubernetes: '1.36',
  nodes: 1_000_000,
  pods: 0,
};

/** Fields that the problems of a field depend on; they are not reported if one of those could not be parsed. */
const dependsOn: Readonly<Record<string, readonly string[]>> = {
  region: ['region'],
  zones: ['region', 'zones'],
  nodes: ['nodes', 'pods', 'mix'],
  pods: ['nodes', 'pods'],
  largestNamespacePods: ['nodes', 'pods', 'largestNamespacePods'],
  customResources: ['customResources'],
  mix: ['nodes', 'pods', 'mix'],
  flags: ['kubernetes'],
  overrides: ['region', 'zones', 'kubernetes', 'mix'],
};

/** Returns the cross-field problems of the fields that could be parsed. */
function otherProblems(input: unknown, problems: readonly Problem[]): Problem[] {
  if (!isPlainObject(input) || problems.some(({ path }) => path.length === 0)) return [];
  const invalidFields = new Set(problems.map(({ path: [first] }) => String(first)));
  const kept = Object.entries(input).map(([field, value]): [string, unknown] => [
    field,
    invalidFields.has(field) ? withoutInvalid(value, field, problems) : value,
  ]);
  const rest: Record<string, unknown> = Object.fromEntries(kept.filter(([, value]) => value !== undefined));
  const defaults = Object.fromEntries(Object.entries(placeholders).filter(([field]) => rest[field] === undefined));
  const parsed = loadSchema.safeParse({ ...rest, ...defaults }, { reportInput: false });
  if (!parsed.success) return [];
  const isUnparsed = (field: string): boolean => invalidFields.has(field) && rest[field] === undefined;
  return loadProblems(applyLoadDefaults(parsed.data)).filter(
    ({ path: [first] }) => !(dependsOn[String(first)] ?? []).some(isUnparsed),
  );
}

/** Returns the overrides or flags without the invalid ones. */
function withoutInvalid(value: unknown, field: string, problems: readonly Problem[]): unknown {
  if ((field !== 'overrides' && field !== 'flags') || !isPlainObject(value)) return undefined;
  const invalidNames = new Set(
    problems.filter(({ path }) => path[0] === field).map(({ path: [, name] }) => String(name)),
  );
  return Object.fromEntries(Object.entries(value).filter(([name]) => !invalidNames.has(name)));
}
