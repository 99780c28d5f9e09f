import { metadataKeys } from '../../api';
import { readWorkloadRecord, storedRecord, type ArtifactResource, type WorkloadRecord } from '../../artifact';
import { type LiveObject } from '../../client';
import { type ClusterWriter } from '../cluster-writer';

const prefix = 'pinion-verified';

/** Stored records of a workload; the last one counts. */
export interface RecordHistory {
  readonly record?: WorkloadRecord;
  /** Number of the last record. */
  readonly revision: number;
  /** All records, which the next one replaces. */
  readonly stored: readonly LiveObject[];
}

/**
 * Reads the records of a workload. Only ControllerRevisions that the workload controls count; admission lets only the
 * controller write them.
 */
export async function readRecords(live: LiveObject, writer: ClusterWriter): Promise<RecordHistory> {
  const stored = (await writer.records(live))
    .filter((revision) => isOwn(revision, live))
    .sort((one, other) => numberOf(other) - numberOf(one));
  const [last] = stored;
  if (!last) return { revision: 0, stored };
  for (const obsolete of stored.slice(1)) await writer.removeRecord(obsolete);
  const record = readWorkloadRecord(last['data'], live as unknown as ArtifactResource);
  return { ...(record && { record }), revision: numberOf(last), stored: [last] };
}

/**
 * Stores a record: a ControllerRevision is immutable, so that a new one replaces the last one. After a crash in between,
 * the new one counts.
 */
export async function writeRecord(
  live: LiveObject,
  record: WorkloadRecord,
  { revision, stored }: RecordHistory,
  writer: ClusterWriter,
): Promise<RecordHistory> {
  const next = revision + 1;
  const created = await writer.create(recordObject(live, record, next));
  for (const obsolete of stored) await writer.removeRecord(obsolete);
  return { record, revision: next, stored: created ? [created] : [] };
}

const recordObject = (
  { apiVersion, kind, metadata: { name, namespace, uid } }: LiveObject,
  record: WorkloadRecord,
  revision: number,
) => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: {
    name: `${prefix}-${uid}-${revision}`,
    namespace,
    labels: { [metadataKeys.verified]: uid },
    ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }],
  },
  data: storedRecord(record),
  revision,
});

const isOwn = ({ metadata }: LiveObject, { metadata: { uid } }: LiveObject): boolean =>
  metadata.name.startsWith(`${prefix}-${uid}-`) &&
  metadata.labels?.[metadataKeys.verified] === uid &&
  (metadata.ownerReferences ?? []).some((owner) => owner.controller && owner.uid === uid);

const numberOf = (revision: LiveObject): number => Number(revision['revision']);
