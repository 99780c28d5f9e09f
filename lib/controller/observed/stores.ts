import { type PinionKind } from '../../api';
import { type LiveObject } from '../../kube';
import { type Child } from './child';
import { type FreeNode } from '../run/run-plan';
import { type CreationFailure, type PodFacts } from './pod-facts';

/** The cluster as the controller's informers know it; reading it sends no request. */
export interface Stores {
  /** Returns a custom resource. */
  document(kind: PinionKind, namespace: string, name: string): LiveObject | undefined;
  /** All documents of a kind. */
  documents(kind: PinionKind): readonly LiveObject[];
  /** All workloads of all kinds. */
  workloads(): readonly LiveObject[];
  /** All workloads of a project. */
  workloadsIn(project: string): readonly LiveObject[];
  /** Returns the native objects and custom resources that another one owns. */
  child(kind: string, namespace: string, name: string): Child | undefined;
  /** All objects whose controlling owner has this uid. */
  ownedBy(uid: string): readonly Child[];
  /** Native objects whose controlling owner is of this kind and name, and has another uid. */
  leftBy(kind: string, namespace: string, name: string, uid: string): readonly Child[];
  /** Pods of a workload. */
  podsOf(kind: string, namespace: string, name: string): readonly PodFacts[];
  /** Recent failures of native objects to make their pods, by the uid of the object. */
  failuresOf(uid: string): readonly CreationFailure[];
  /** Returns the free capacity of the nodes that take pods. */
  freeNodes(): readonly FreeNode[];
}
