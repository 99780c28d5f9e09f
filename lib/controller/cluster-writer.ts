import { type KubernetesObject } from '../expand';
import { type LiveObject, type ManagedFields, type SentObject } from '../client';
import { type Child, type Observed } from './observed/child';
import { type PodFacts } from './observed/pod-facts';
import { type EventDraft } from './report/report';
import { type VersionHistory } from './version-history';

/** Write operations of a reconcile. Responses update the stores at once. */
export interface ClusterWriter {
  /**
   * Applies an object server-side; `force` takes over fields of other managers. Returns the resulting object; undefined
   * in a dry run.
   */
  apply(object: KubernetesObject, options: { readonly force: boolean }): Promise<Child | undefined>;
  /** Replaces the managed fields of this version of an object; returns the new version. */
  release(child: Child, managedFields: readonly ManagedFields[]): Promise<string>;
  /** Deletes this version of an object. */
  remove(child: Child, propagation: 'Background' | 'Foreground' | 'Orphan'): Promise<void>;
  /** Deletes a pod. */
  removePod(pod: Pick<PodFacts, 'namespace' | 'name' | 'uid'>): Promise<void>;
  /** Deletes a custom resource and everything that it owns. */
  removeResource(resource: LiveObject): Promise<void>;
  /** Reads the full, current object. */
  read(kind: string, namespace: string, name: string): Promise<LiveObject | undefined>;
  /** Reads what earlier revisions of a workload's pods refer to, from ReplicaSets and ControllerRevisions. */
  history(resource: LiveObject, observed: Observed): Promise<VersionHistory>;
  /** Reads the ControllerRevisions that are labeled as records of a verified workload. */
  records(resource: LiveObject): Promise<readonly LiveObject[]>;
  /** Creates an object. Returns it; undefined in a dry run. */
  create(object: SentObject): Promise<LiveObject | undefined>;
  /** Deletes a record. */
  removeRecord(record: LiveObject): Promise<void>;
  /** Replaces the status of a resource if its version is unchanged. */
  writeStatus(resource: LiveObject, status: Readonly<Record<string, unknown>>): Promise<void>;
  /** Records events about a resource. */
  recordEvents(resource: LiveObject, occurrences: readonly EventDraft[]): void;
}
