import { isDeepStrictEqual } from 'node:util';
import { explainProblem, isError, redactProblem, type Problem } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';

/** What the move to another revision does to the objects of a workload. */
export type RevisionEffect =
  { readonly effect: 'unchanged' | 'changed' } | { readonly effect: 'blocked'; readonly message: string };

/** Objects of a workload at a revision, unless there are errors. */
interface ExpansionAtRevision {
  readonly objects?: readonly KubernetesObject[];
  readonly problems: readonly Problem[];
}

/** Returns what a move between two revisions does, by the expansions of the workload at both; a message has no secrets. Pure. */
export function revisionEffectOf(before: ExpansionAtRevision, after: ExpansionAtRevision): RevisionEffect {
  // It is invalid at its own revision, too: a fix of its spec is a deployment.
  if (after.problems.some(isError)) return blockedEffect(after.problems);
  return { effect: isDeepStrictEqual(before.objects, after.objects) ? 'unchanged' : 'changed' };
}

/** Returns the effect of a move that errors prevent. */
export const blockedEffect = (problems: readonly Problem[]): RevisionEffect => ({
  effect: 'blocked',
  message: problems.filter(isError).map(redactProblem).map(explainProblem).join('\n'),
});
