import { type Status, type WorkloadKind } from '../../api';
import { revisionsOnObjects, type RecordedObject } from '../expansion-guard/recorded-expansion';

/** Record of the revision that a workload follows. */
export type RevisionRecord = NonNullable<Status<WorkloadKind>['platformRevision']>;

/** Returns the record in the status of a workload; undefined if there is none. */
export const revisionRecordOf = (status: unknown): RevisionRecord | undefined =>
  (status as Partial<Status<WorkloadKind>> | undefined)?.platformRevision;

/**
 * Returns the revision that a workload follows; undefined if none is known. A record on its objects that its status does not know is
 * newer: the objects were applied before the status. It is also all that remains if the status is lost.
 */
export function recordedRevision(
  record: RevisionRecord | undefined,
  owned: readonly RecordedObject[],
): string | undefined {
  const onObjects = revisionsOnObjects(owned);
  if (!record) return onObjects[0];
  const { name, applied = [] } = record;
  return onObjects.find((revision) => !applied.includes(revision)) ?? name;
}

/** Maximum number of revisions in a record: a workload has few objects with pods. */
const maxApplied = 8;

/** Returns the record after the objects of a workload follow a revision. Pure. */
export function nextRevisionRecord(
  previous: RevisionRecord | undefined,
  name: string,
  owned: readonly RecordedObject[],
): RevisionRecord {
  const applied = [...new Set(revisionsOnObjects(owned))].sort().slice(0, maxApplied);
  const former = previous === undefined || previous.name === name ? previous?.former : previous.name;
  return { name, ...(applied.length > 0 && { applied }), ...(former !== undefined && { former }) };
}
