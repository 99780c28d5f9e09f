import { type Problem } from '../../../api';
import { type ImportSource } from './import-source';
import { importTargetOf } from './kinds/kind-imports';

/** Returns the problem that a workload has a form that cannot be converted; undefined if it can. */
export function unsupportedProblem({ object, namespace }: ImportSource): Problem | undefined {
  const reason = importTargetOf(object)?.unsupported?.(object);
  return reason === undefined
    ? undefined
    : {
        code: 'not-available',
        path: ['spec'],
        reason: `${reason}, so that it is not converted`,
        remedy: 'keep it, or split it into several objects and import those',
        object: `${object.kind} ${object.metadata.namespace ?? namespace}/${object.metadata.name}`,
      };
}
