import { isPlainObject, manager, recommended, valueAt } from '../../api';
import { controllerName } from '../../expand';
import { isApiError, type KubeClient, resourceOf, type SentObject } from '../../kube';

/** How far a train has come on a cluster; it is stored there, so that any machine continues. */
export interface TrainRecord {
  /** Digest of the manifests. */
  readonly digest: string;
  /** Time at which the change began, in RFC 3339, as all others. */
  readonly startedAt: string;
  /** Workloads that were not Ready before; they stop nothing. */
  readonly notReadyBefore: readonly string[];
  /** Time at which all manifests were applied. */
  readonly appliedAt?: string;
  /** Time since which the Platform and the controllers have the change: canary runs count from then on. */
  readonly rolledOutAt?: string;
  /** Time since which the cluster is well. */
  readonly settledAt?: string;
  /** Time at which it had been well for long enough. */
  readonly passedAt?: string;
  /** Why the train stopped here. */
  readonly haltedReason?: string;
}

/** A record with the version that a write must replace. */
export interface StoredTrainRecord {
  readonly record?: TrainRecord;
  readonly resourceVersion?: string;
}

/** Thrown when something else changed the record meanwhile: two trains must not move the same cluster. */
export class TrainConflict extends Error {
  override readonly name = 'TrainConflict' as const;
}

const name = 'pinion-train';
const key = 'train.json';
/** Namespace of the record: that of the controller, so that writing it needs no right that changing the platform does not. */
const namespace = controllerName;

/** Reads the record of a cluster. */
export async function readTrainRecord(client: KubeClient): Promise<StoredTrainRecord> {
  const live = await client.get(resourceOf('ConfigMap'), { name, namespace });
  if (!live) return {};
  const record = recordIn(valueAt(live, ['data', key]));
  return { ...(record && { record }), resourceVersion: live.metadata.resourceVersion };
}

/** Replaces the record of a cluster. Rejects with a `TrainConflict` if it changed since it was read. */
export async function writeTrainRecord(
  client: KubeClient,
  record: TrainRecord,
  { resourceVersion }: StoredTrainRecord,
): Promise<StoredTrainRecord> {
  const labels = { [recommended.managedBy]: manager, [recommended.component]: name };
  const metadata = { name, namespace, labels, ...(resourceVersion !== undefined && { resourceVersion }) };
  const object: SentObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [key]: JSON.stringify(record) } };
  try {
    const stored = await (resourceVersion === undefined ? client.create(object) : client.update(object));
    return { record, resourceVersion: stored.metadata.resourceVersion };
  } catch (error) {
    if (!isApiError(error, 409)) throw error;
    throw new TrainConflict('another train moves this cluster; wait for its end, and run this one again');
  }
}

/** Returns the record of a text; undefined if it is none, as of another version. */
function recordIn(text: unknown): TrainRecord | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) &&
      typeof value['digest'] === 'string' &&
      typeof value['startedAt'] === 'string' &&
      Array.isArray(value['notReadyBefore'])
      ? (value as unknown as TrainRecord)
      : undefined;
  } catch {
    return undefined;
  }
}
