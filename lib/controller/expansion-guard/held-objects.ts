import { isRunKind, metadataKeys, type Workload } from '../../api';
import { hookOf, podTemplateSpecOf, type KubernetesObject } from '../../expand';
import { neededKinds } from '../hooks/hook-objects';
import { type HookObjects } from '../hooks/hook-plan';
import { type Child, type Observed } from '../observed/child';
import { unchangedObject } from '../run/job-of-attempt';

/** Input of the choice of objects of a held workload. */
export interface HeldInput {
  readonly workload: Workload;
  /** Objects from expand, or those that a plan of its run or hooks chose. */
  readonly chosen: { readonly desired: readonly KubernetesObject[]; readonly untouched?: ReadonlySet<string> };
  readonly observed: Pick<Observed, 'owned'>;
  /** `status.children`: objects of the former expansion, as `Kind/name`. */
  readonly recorded: Readonly<Record<string, string>>;
}

/**
 * Returns the objects of a held workload: all that exist, unchanged, and those of the former expansion that were deleted. Others of
 * this expansion are not created, because a Deployment with another name would be a second one. Runs and hooks go through their steps.
 */
export function heldObjects({ workload, chosen, observed, recorded }: HeldInput): HookObjects {
  const { untouched = new Set<string>() } = chosen;
  const desired = isRunKind(workload.kind) ? chosen.desired : formerObjects(chosen.desired, observed.owned, recorded);
  const names = new Set(desired.map(keyOf));
  const others = observed.owned.filter(
    ({ kind, name, deleting }) => kind !== 'Job' && !deleting && !names.has(`${kind}/${name}`),
  );
  const all = [...desired, ...others.map(unchangedObject)];
  return {
    desired: all,
    untouched: new Set([...untouched, ...all.filter((object) => hookOf(object) === undefined).map(keyOf)]),
  };
}

/** Returns whether a held workload may delete an object: only a run may delete its Jobs, such as for a retry. */
export const deletesWhileHeld = ({ kind }: Workload, childKind: string): boolean =>
  isRunKind(kind) && childKind === 'Job';

function formerObjects(
  desired: readonly KubernetesObject[],
  owned: readonly Child[],
  recorded: HeldInput['recorded'],
): readonly KubernetesObject[] {
  const present = new Set(owned.map(({ kind, name }) => `${kind}/${name}`));
  const former = desired.filter(
    (object) => present.has(keyOf(object)) || Object.hasOwn(recorded, keyOf(object)) || isOfHooks(object),
  );
  // New pods need what their template refers to.
  const hasNewPods = former.some((object) => podTemplateSpecOf(object) && !present.has(keyOf(object)));
  return desired.filter((object) => former.includes(object) || (hasNewPods && neededKinds.has(object.kind)));
}

const isOfHooks = ({ metadata }: KubernetesObject): boolean => metadata.labels?.[metadataKeys.hook] !== undefined;

const keyOf = ({ kind, metadata }: KubernetesObject): string => `${kind}/${metadata.name}`;
