import { isError, isPlainObject, schemaProblems, type Problem } from '../api';
import { completeLoad, loadSchema, type Load } from './load';
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

/** An override that an older version knew says what works instead. */
function ofOld(problem: Problem, input: unknown): Problem {
  const [first, name] = problem.path;
  if (problem.code !== 'unknown-field' || first !== 'overrides' || typeof name !== 'string') return problem;
  const lost = lostOverride(name);
  const version = isPlainObject(input) ? String(input['kubernetes']) : '';
  return lost
    ? { ...problem, code: 'unsupported-field', reason: `${lost.since} (this is ${version})`, remedy: lost.instead }
    : problem;
}
