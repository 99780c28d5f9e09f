import { type KubernetesObject } from '@pinion-platform/pinion';

/** Names of the stages, in order. */
export const stageNames = [
  'definitions',
  'cloud',
  'network',
  'dns',
  'pinion',
  'storage',
  'scaling',
  'ingress',
  'deployments',
  'gateway',
  'observability',
] as const;

/** Name of a stage. */
export type StageName = (typeof stageNames)[number];

/** Reference to an object. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Object that must be ready before the next stage: a condition is True, or all pods are updated and ready. */
export interface AwaitedObject extends ObjectReference {
  readonly until: 'Established' | 'Available' | 'Ready' | 'rolled out';
}

/** Objects that are applied in order, once the previous stage is ready. */
export interface Stage {
  readonly name: StageName;
  /** Reason for its position. */
  readonly why: string;
  readonly objects: readonly KubernetesObject[];
  readonly awaits: readonly AwaitedObject[];
  /** Objects of the stage that are applied once the awaited ones are ready. */
  readonly last: readonly ObjectReference[];
}

/** Readiness conditions by kind. */
const readyConditions: Readonly<Record<string, AwaitedObject['until']>> = {
  CustomResourceDefinition: 'Established',
  Deployment: 'Available',
  DaemonSet: 'rolled out',
  Project: 'Ready',
  PinterestService: 'Ready',
  PinterestDaemon: 'Ready',
  PinterestCronJob: 'Ready',
};

/** Creates a stage that awaits all of its objects with a readiness condition, before it applies the last ones. */
export const stage = (
  name: StageName,
  why: string,
  objects: readonly KubernetesObject[],
  last: readonly KubernetesObject[] = [],
): Stage => ({
  name,
  why,
  objects: [...objects, ...last],
  last: last.map(referenceTo),
  awaits: objects.flatMap((object) => {
    const until = readyConditions[object.kind];
    return until === undefined ? [] : [{ ...referenceTo(object), until }];
  }),
});

/** Returns the reference to an object. */
const referenceTo = ({ apiVersion, kind, metadata }: KubernetesObject): ObjectReference => ({
  apiVersion,
  kind,
  ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
  name: metadata.name,
});
