import { type KubernetesObject } from 'pinion';

/** Names of the stages, in the order in which they are applied. */
export const stageNames = [
  'definitions',
  'cloud',
  'network',
  'names',
  'pinion',
  'storage',
  'scaling',
  'entrance',
  'deployments',
  'observability',
] as const;

/** Name of a stage. */
export type StageName = (typeof stageNames)[number];

/** Which object, as it is found in the API. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** What must be so of an object before the next stage: a condition that is True, or that all of its pods are of the newest version and ready. */
export interface Awaited extends ObjectReference {
  readonly until: 'Established' | 'Available' | 'Ready' | 'rolled out';
}

/** Objects that are applied together, in their order, once what the stage before waits for is so. */
export interface Stage {
  readonly name: StageName;
  /** Why it comes where it comes. */
  readonly why: string;
  readonly objects: readonly KubernetesObject[];
  readonly awaits: readonly Awaited[];
}

/** Conditions that say of an object of a kind that it is as it should be. */
const ends: Readonly<Record<string, Awaited['until']>> = {
  CustomResourceDefinition: 'Established',
  Deployment: 'Available',
  DaemonSet: 'rolled out',
  Project: 'Ready',
  PinterestService: 'Ready',
  PinterestDaemon: 'Ready',
  PinterestCronJob: 'Ready',
};

/** A stage that waits for all of its objects that become something. */
export const stage = (name: StageName, why: string, objects: readonly KubernetesObject[]): Stage => ({
  name,
  why,
  objects,
  awaits: objects.flatMap((object) => {
    const until = ends[object.kind];
    return until === undefined ? [] : [{ ...referenceTo(object), until }];
  }),
});

/** How an object is found. */
const referenceTo = ({ apiVersion, kind, metadata }: KubernetesObject): ObjectReference => ({
  apiVersion,
  kind,
  ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
  name: metadata.name,
});
