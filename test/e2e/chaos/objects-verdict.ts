import { safeParseManifest, group, type Workload } from '../../../lib/api';
import { safeExpand, type KubernetesObject, resolvePlatform, type ProjectContext } from '../../../lib/expand';
import { firstDifference } from '../../../lib/controller/plan/satisfies';
import { writtenPart } from '../../../lib/controller/written-part';
import { type LiveObject } from '../../../lib/kube';
import { ownerOf, type Sight } from './sight';
import { keyOf } from './user';

type Fields = Readonly<Record<string, unknown>>;

/** What a workload is to become, by what is stored. */
export function expected(
  document: LiveObject,
  worldOf: (project: string) => ProjectContext,
): readonly KubernetesObject[] {
  const { completed, problems } = safeParseManifest(writtenPart(document));
  if (!completed) throw new Error(`${keyOf(document)}: ${JSON.stringify(problems)}`);
  const { objects, problems: more } = safeExpand(completed as Workload, worldOf(document.metadata.namespace ?? ''));
  if (!objects) throw new Error(`${keyOf(document)}: ${JSON.stringify(more)}`);
  return objects;
}

/** What is wrong with the objects that workloads became: missing, different, orphaned, left over. */
export function objectsVerdict(sight: Sight): string[] {
  const cluster = resolvePlatform(sight.platform);
  const wanted = new Set<string>();
  const problems: string[] = [];
  const live = new Map(sight.children.map((child) => [placeOf(child), child]));
  for (const document of sight.documents.values()) {
    for (const object of expected(document, (project) => cluster.project(project))) {
      const place = placeOf({ ...object, metadata: { namespace: document.metadata.namespace, ...object.metadata } });
      wanted.add(place);
      const problem = standing(document, object, live.get(place));
      if (problem !== undefined) problems.push(`${keyOf(document)}: ${place} ${problem}`);
    }
  }
  return [...problems, ...sight.children.flatMap((child) => leftOver(child, wanted, sight))];
}

const placeOf = ({
  kind,
  metadata,
}: {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
}): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

/** What is wrong with one object. */
function standing(document: LiveObject, object: KubernetesObject, live: LiveObject | undefined): string | undefined {
  const isOver = hasEnded(document);
  // After the end nothing is made again.
  if (!live) return isOver ? undefined : 'is missing';
  if (live.metadata.deletionTimestamp !== undefined) return 'is being deleted';
  const owners = (live.metadata.ownerReferences ?? []).filter(({ apiVersion }) => apiVersion.startsWith(`${group}/`));
  if (owners.length !== 1 || owners[0]?.uid !== document.metadata.uid || owners[0].controller !== true)
    return `is owned by ${JSON.stringify(live.metadata.ownerReferences)}`;
  // One that ended is left as it is.
  if (object.kind === 'Job' && hasEnded(live)) return undefined;
  const difference = firstDifference(object.kind === 'Job' ? conducted(object) : object, live);
  return difference === undefined ? undefined : `differs at ${difference}`;
}

/** A Job without what conducting decides: whether it waits, and how long it lives. */
function conducted(job: KubernetesObject): KubernetesObject {
  const { suspend: _, ttlSecondsAfterFinished: __, ...spec } = job['spec'] as Fields;
  return { ...job, spec };
}

/** Whether a job set, a training job or a Job is over. */
export const hasEnded = (document: LiveObject): boolean =>
  conditionsOf(document).some(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True');

/** Conditions of a document. */
export const conditionsOf = (document: LiveObject) =>
  ((document['status'] as Fields | undefined)?.['conditions'] ?? []) as readonly {
    readonly type: string;
    readonly status: string;
    readonly message: string;
  }[];

/** An object of ours that nobody wants, or whose owner is gone. */
function leftOver(child: LiveObject, wanted: ReadonlySet<string>, sight: Sight): string[] {
  const owner = ownerOf(child);
  const isOurs = owner?.apiVersion.startsWith(`${group}/`) === true && owner.kind !== 'Project';
  const claims = child.metadata.labels?.[`${group}/workload`] !== undefined && owner === undefined;
  if (claims && child.kind !== 'PersistentVolumeClaim') return [`${placeOf(child)} is an orphan`];
  if (!isOurs) return [];
  if (!sight.documents.has(owner.uid)) return [`${placeOf(child)} is left over by ${owner.kind} ${owner.name}`];
  if (wanted.has(placeOf(child)) || isReferredTo(child, sight)) return [];
  return [`${placeOf(child)} of ${owner.kind} ${owner.name} is not wanted`];
}

/** Versions of pods that could come back need their ConfigMaps. */
const isReferredTo = ({ kind, metadata }: LiveObject, { histories, children }: Sight): boolean =>
  kind === 'ConfigMap' &&
  [...histories, ...children.filter((child) => child.kind === 'Job')].some(
    (object) => object.metadata.namespace === metadata.namespace && JSON.stringify(object).includes(metadata.name),
  );
