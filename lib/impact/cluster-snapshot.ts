import { isPlainObject, manager, metadataKeys } from '../api';
import { type QuotaUsage } from './quota-surge';

/** Object of a cluster, without what only the API server and other clients need. */
export interface SnapshotObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly generation?: number;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: unknown;
  readonly status?: Readonly<Record<string, unknown>>;
}

/**
 * What an impact needs to know of a cluster. It holds objects as the API server returns them, so any version of pinion
 * reads it; it holds no Secrets and no ConfigMaps.
 */
export interface ClusterSnapshot {
  readonly format: typeof snapshotFormat;
  /** Name of the cluster or context, for messages. */
  readonly name: string;
  /** Time of the snapshot, RFC 3339. */
  readonly taken: string;
  /** Custom resources of pinion. */
  readonly resources: readonly SnapshotObject[];
  /** Objects with pods that pinion created. @default - they could not be read */
  readonly children?: readonly SnapshotObject[];
  readonly nodes: readonly SnapshotObject[];
  /** Sums of the requests of the pods on each node, and their number as `pods`. @default - they could not be read */
  readonly requested?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Quotas by project. @default - they could not be read */
  readonly quotas?: Readonly<Record<string, readonly QuotaUsage[]>>;
  /** CustomResourceDefinitions of pinion's kinds. @default - they could not be read */
  readonly definitions?: readonly SnapshotDefinition[];
  /** What could not be read, one line each. */
  readonly unread: readonly string[];
}

/** CustomResourceDefinition of a cluster. */
export interface SnapshotDefinition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: unknown;
}

/** Format of a snapshot; another one is not read. */
export const snapshotFormat = 'pinion-impact-snapshot/1';

/** Returns a snapshot from JSON, or why it is none. */
export function parseSnapshot(text: string): ClusterSnapshot | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is not JSON; write it with "pinion impact snapshot"';
  }
  if (!isPlainObject(value) || value['format'] !== snapshotFormat)
    return `is not a snapshot in the format ${snapshotFormat}; write it with "pinion impact snapshot"`;
  const lists = ['resources', 'nodes', 'unread'];
  const broken = lists.find((list) => !Array.isArray(value[list]));
  if (broken !== undefined) return `lacks the list ${broken}; write it again with "pinion impact snapshot"`;
  return value as unknown as ClusterSnapshot;
}

/** Keys of annotations that repeat the whole object. */
const appliedConfiguration = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns an object as a snapshot holds it. */
export function snapshotObject({ apiVersion, kind, metadata, spec, status }: SnapshotObject): SnapshotObject {
  const { name, namespace, uid, generation, creationTimestamp, deletionTimestamp, labels } = metadata;
  const { [appliedConfiguration]: _, ...annotations } = metadata.annotations ?? {};
  const known = { namespace, uid, generation, creationTimestamp, deletionTimestamp, labels };
  const kept = Object.entries(known).filter(([, value]) => value !== undefined);
  return {
    apiVersion,
    kind,
    metadata: { name, ...Object.fromEntries(kept), ...(Object.keys(annotations).length > 0 && { annotations }) },
    ...(spec !== undefined && { spec }),
    ...(status !== undefined && { status }),
  };
}

/** Selects the objects that pinion created for workloads. */
export const childSelector = `app.kubernetes.io/managed-by=${manager},${metadataKeys.workload}`;
