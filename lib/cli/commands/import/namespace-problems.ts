import { ProblemsError, type Problem } from '../../../api';
import { type ImportSource } from './import-source';

/** Returns the problems that a workload cannot be in its namespace, such as a reserved one. */
export function namespaceProblems({ object, cluster, namespace }: ImportSource): readonly Problem[] {
  try {
    cluster.project(namespace);
    return [];
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error;
    return error.problems.map((problem) =>
      problem.path.join('.') === 'metadata.name' ? inNamespace(problem) : problem,
    );
  }

  function inNamespace({ code, reason }: Problem): Problem {
    return {
      code,
      path: ['metadata', 'namespace'],
      value: namespace,
      reason: `${reason}, so the workload cannot be imported there`,
      remedy: 'change the namespace in the file, or remove it and add -n NAMESPACE',
      object: `${object.kind} ${object.metadata.name}`,
    };
  }
}
