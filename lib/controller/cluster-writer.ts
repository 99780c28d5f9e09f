import { type KubernetesObject } from '../expand';
import { type LiveObject, type ManagedFields } from '../kube';
import { type Child, type Observed } from './observed/child';
import { type PodFacts } from './observed/pod-facts';
import { type EventDraft } from './report/report';
import { type VersionHistory } from './version-history';

/** What a reconcile pass may do to the cluster. Everything that it gets back is in the stores at once. */
export interface ClusterWriter {
  /** Server-side apply; with `force` it takes fields back from others. Gives the object as it is then; undefined in a dry run. */
  apply(object: KubernetesObject, options: { readonly force: boolean }): Promise<Child | undefined>;
  /** Replaces the managed fields of an object in this very version; gives the version that it has then. */
  release(child: Child, managedFields: readonly ManagedFields[]): Promise<string>;
  /** Deletes this very object in this very version. */
  remove(child: Child, propagation: 'Background' | 'Foreground' | 'Orphan'): Promise<void>;
  /** Deletes a pod. */
  removePod(pod: Pick<PodFacts, 'namespace' | 'name' | 'uid'>): Promise<void>;
  /** Deletes a custom resource with everything that it owns. */
  removeResource(document: LiveObject): Promise<void>;
  /** Reads an object in full, as it is now. */
  read(kind: string, namespace: string, name: string): Promise<LiveObject | undefined>;
  /** Reads what earlier versions of a workload's pods refer to, as ReplicaSets and ControllerRevisions keep them. */
  history(document: LiveObject, observed: Observed): Promise<VersionHistory>;
  /** Replaces the status of a document, if it is still in this version. */
  writeStatus(document: LiveObject, status: Readonly<Record<string, unknown>>): Promise<void>;
  /** Records events about a document. */
  recordEvents(document: LiveObject, occurrences: readonly EventDraft[]): void;
}
