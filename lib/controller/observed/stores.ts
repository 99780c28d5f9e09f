import { type PinionKind } from '../../api';
import { type LiveObject } from '../../client';
import { type Child } from './child';
import { type FreeNode } from '../run/run-plan';
import { type CreationFailure, type PodFacts } from './pod-facts';

/** Informer stores of the controller; reads send no requests. */
export interface Stores {
  /** Returns a custom resource by kind and name. */
  resource(kind: PinionKind, namespace: string, name: string): LiveObject | undefined;
  /** Returns all resources of a kind. */
  resources(kind: PinionKind): readonly LiveObject[];
  /** Returns the workloads of all kinds. */
  workloads(): readonly LiveObject[];
  /** Returns the workloads of a project. */
  workloadsIn(project: string): readonly LiveObject[];
  /** Returns the Ingresses of other workloads of its project that have a route of an Ingress, too; none for other kinds. */
  routeRivals(child: Child): readonly Child[];
  /** Returns a native object, or a custom resource as a child. */
  child(kind: string, namespace: string, name: string): Child | undefined;
  /** Returns the objects whose controlling owner has this UID. */
  ownedBy(uid: string): readonly Child[];
  /** Returns native objects whose controlling owner has this kind and name, but another UID. */
  ownedByPredecessor(kind: string, namespace: string, name: string, uid: string): readonly Child[];
  /** Returns the pods of a workload. */
  podsOf(kind: string, namespace: string, name: string): readonly PodFacts[];
  /** Returns recent failures of an object to create its pods, by the object's UID. */
  failuresOf(uid: string): readonly CreationFailure[];
  /** Returns the free capacity of schedulable nodes. */
  freeNodes(): readonly FreeNode[];
}
