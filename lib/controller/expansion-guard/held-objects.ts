import { isRunKind, type Workload } from '../../api';
import { hookOf, type KubernetesObject } from '../../expand';

/** Returns the objects of a held workload that stay as they are, as `Kind/name`. */
export const heldObjects = (
  desired: readonly KubernetesObject[],
  untouched: ReadonlySet<string> | undefined,
): ReadonlySet<string> =>
  new Set([
    ...(untouched ?? []),
    ...desired.filter((object) => hookOf(object) === undefined).map(({ kind, metadata }) => `${kind}/${metadata.name}`),
  ]);

/** Returns whether a held workload may delete an object: only a run may delete its Jobs, such as for a retry. */
export const deletesWhileHeld = ({ kind }: Workload, childKind: string): boolean =>
  isRunKind(kind) && childKind === 'Job';
