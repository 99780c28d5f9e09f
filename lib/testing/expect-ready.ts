import { explainProblem, type ManifestInput, type Problem } from '../api';
import { type KubernetesObject, type ProjectContext } from '../expand';
import { objectsOf, problemsOf } from './objects-of';
import { ReadyWorkload } from './ready-workload';

/** A construct of a workload, such as a `PinterestService` in a chart. */
export interface TestedConstruct {
  readonly input: ManifestInput;
  readonly problems: readonly Problem[];
  readonly objects: readonly { toJson(): unknown }[];
}

/**
 * Asserts that a manifest or a construct is ready to be deployed: it has no problem, not even a warning. Returns its objects.
 *
 * The context of a manifest defaults to that of `objectsOf`; a construct has the one of its app. Otherwise throws an
 * error that lists each problem with its field, value, reason and remedy.
 */
export function expectReady(tested: ManifestInput | TestedConstruct, context?: ProjectContext): ReadyWorkload {
  if (isConstruct(tested)) {
    throwAny(tested.input, tested.problems);
    return new ReadyWorkload(tested.objects.map((object) => object.toJson() as KubernetesObject));
  }
  throwAny(tested, problemsOf(tested, context));
  return new ReadyWorkload(objectsOf(tested, context));
}

const isConstruct = (tested: ManifestInput | TestedConstruct): tested is TestedConstruct =>
  'input' in tested && 'objects' in tested;

function throwAny({ kind, metadata }: ManifestInput, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const lines = problems.map((problem) => `  ${explainProblem(problem)}`);
  throw new Error(`${kind} ${metadata.name} is not ready to be deployed: it has ${count}\n${lines.join('\n')}`);
}
