import { isRunKind, isWorkloadKind, type Status, type WorkloadKind } from '../../api';
import { revisionsOnObjects, type RecordedObject, type RevisionSubject } from '../expansion-guard/recorded-expansion';

/** Record of the revision that a workload follows. */
export type RevisionRecord = NonNullable<Status<WorkloadKind>['platformRevision']>;

/** Returns the record in the status of a workload; undefined if there is none. */
export const revisionRecordOf = (
  status: unknown,
  subject: RevisionSubject = 'Platform',
): RevisionRecord | undefined => {
  const { platformRevision, projectRevision } = (status ?? {}) as Partial<Status<WorkloadKind>>;
  return subject === 'Platform' ? platformRevision : projectRevision;
};

/**
 * Returns the objects whose records count: those that the last status names as objects of the expansion. Runs create Jobs after their
 * status, so that only unwanted ones are known not to be theirs.
 */
export function recordSources<T extends RecordedObject>(
  owned: readonly T[],
  { kind, status }: { readonly kind: string; readonly status?: unknown },
  subject: RevisionSubject = 'Platform',
): readonly T[] {
  const { children } = (status ?? {}) as Partial<Status<WorkloadKind>>;
  if (!children || !revisionRecordOf(status, subject)) return owned;
  const isRun = isWorkloadKind(kind) && isRunKind(kind);
  return owned.filter((object) => {
    const state = children[`${object.kind}/${object.name}`];
    return state === undefined ? isRun : state !== 'Unwanted';
  });
}

/** Maximum number of revisions in a record: a workload has few objects with pods. */
const maxApplied = 8;

/**
 * Returns the revision that a workload follows; undefined if none is known. A record on its objects that its status does not know is
 * newer: the objects were applied before the status. It is also all that remains if the status is lost. `accepted` are the revisions
 * to which the controller may have moved the workload: members may be able to write objects, so that a record decides nothing else.
 */
export function recordedRevision(
  record: RevisionRecord | undefined,
  owned: readonly RecordedObject[],
  accepted: ReadonlySet<string> = none,
  subject: RevisionSubject = 'Platform',
): string | undefined {
  const onObjects = distinctRevisions(owned, subject);
  if (!record) return onObjects.find((revision) => accepted.has(revision));
  const { name } = record;
  // More than a record can hold would make known ones look new.
  if (onObjects.length > maxApplied) return name;
  return onObjects.find((revision) => isNewer(revision, record) && isAccepted(revision, record, accepted)) ?? name;
}

/** Returns the revisions on the objects of a workload that its status does not know, and that decide nothing. */
export const ignoredRevisions = (
  record: RevisionRecord | undefined,
  owned: readonly RecordedObject[],
  accepted: ReadonlySet<string>,
): readonly string[] =>
  distinctRevisions(owned).filter(
    (revision) => (!record || isNewer(revision, record)) && !isAccepted(revision, record, accepted),
  );

/** Returns the record after the objects of a workload follow a revision. Pure. */
export function nextRevisionRecord(
  previous: RevisionRecord | undefined,
  name: string,
  owned: readonly RecordedObject[],
  subject: RevisionSubject = 'Platform',
): RevisionRecord {
  const applied = distinctRevisions(owned, subject).sort().slice(0, maxApplied);
  const former = previous === undefined || previous.name === name ? previous?.former : previous.name;
  return { name, ...(applied.length > 0 && { applied }), ...(former !== undefined && { former }) };
}

const none: ReadonlySet<string> = new Set();

const distinctRevisions = (owned: readonly RecordedObject[], subject: RevisionSubject = 'Platform'): string[] => [
  ...new Set(revisionsOnObjects(owned, subject)),
];

const isNewer = (revision: string, { applied = [] }: RevisionRecord): boolean => !applied.includes(revision);

const isAccepted = (revision: string, record: RevisionRecord | undefined, accepted: ReadonlySet<string>): boolean =>
  revision === record?.name || revision === record?.former || accepted.has(revision);
