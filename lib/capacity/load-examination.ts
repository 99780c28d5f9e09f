import { isError, isPlainObject, schemaProblems, type Problem } from '../api';
import { completeLoad, loadSchema, programs, type Load } from './load';
import { loadProblems, lostOverride } from './load-problems';

/** Reads the description of a load; complete where nothing in it is wrong. */
export function examineLoad(input: unknown): { readonly load?: Load; readonly problems: readonly Problem[] } {
  const parsed = loadSchema.safeParse(input, { reportInput: false });
  if (!parsed.success)
    return { problems: schemaProblems(loadSchema, input, parsed.error.issues, []).map((one) => ofOld(one, input)) };
  const load = completeLoad(parsed.data);
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
      code: 'not-offered',
      reason: 'is a program whose flags are planned alone',
      remedy: `use overrides; flags can be added to ${programs.join(', ')}`,
    };
  if (problem.code !== 'unknown-field' || first !== 'overrides' || typeof name !== 'string') return problem;
  const lost = lostOverride(name);
  const version = isPlainObject(input) ? String(input['kubernetes']) : '';
  return lost
    ? { ...problem, code: 'unsupported-field', reason: `${lost.since} (this is ${version})`, remedy: lost.instead }
    : problem;
}
