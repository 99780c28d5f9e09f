import { pinterestCronJobKind } from './pinterest-cron-job';
import { pinterestDaemonKind } from './pinterest-daemon';
import { pinterestJobSetKind } from './pinterest-job-set';
import { pinterestServiceKind } from './pinterest-service';
import { pinterestStatefulSetKind } from './pinterest-stateful-set';
import { pinterestTrainingJobKind } from './pinterest-training-job';
import {
  type LocatedImage,
  type LocatedPodTemplate,
  type WorkloadKindDefinition,
  type WorkloadTraits,
  type KindSchemas,
} from './kind-definition';

/** Definitions of the workload kinds, with their schemas. */
export const workloadDefinitions = {
  PinterestService: pinterestServiceKind,
  PinterestJobSet: pinterestJobSetKind,
  PinterestCronJob: pinterestCronJobKind,
  PinterestDaemon: pinterestDaemonKind,
  PinterestTrainingJob: pinterestTrainingJobKind,
  PinterestStatefulSet: pinterestStatefulSetKind,
} as const satisfies Record<string, WorkloadKindDefinition & KindSchemas>;

/** Name of a workload kind. */
export type WorkloadKind = keyof typeof workloadDefinitions;

/** The workload kinds; each is one CustomResourceDefinition. */
export const workloadKinds: Readonly<Record<WorkloadKind, WorkloadKindDefinition>> = workloadDefinitions;

/** Names of the workload kinds whose trait has a value. */
export type WorkloadKindWith<T extends keyof WorkloadTraits, V extends WorkloadTraits[T]> = {
  [K in WorkloadKind]: (typeof workloadDefinitions)[K]['traits'][T] extends V ? K : never;
}[WorkloadKind];

/** Name of a kind whose workloads run once to completion. */
export type RunKind = WorkloadKindWith<'lifecycle', 'Run'>;

/** Returns whether a name is that of a workload kind. */
export const isWorkloadKind = (kind: unknown): kind is WorkloadKind =>
  typeof kind === 'string' && Object.hasOwn(workloadKinds, kind);

/** Returns the traits of a workload kind. */
export const traitsOf = (kind: WorkloadKind): WorkloadTraits => workloadKinds[kind].traits;

/** Lists the workload kinds whose trait has a value. */
export const kindsWith = <T extends keyof WorkloadTraits, V extends WorkloadTraits[T]>(
  trait: T,
  value: V,
): readonly WorkloadKindWith<T, V>[] =>
  (Object.keys(workloadKinds) as WorkloadKind[]).filter(
    (kind): kind is WorkloadKindWith<T, V> => traitsOf(kind)[trait] === value,
  );

/** Returns whether workloads of a kind run once to completion. */
export const isRunKind = (kind: WorkloadKind): kind is RunKind => traitsOf(kind).lifecycle === 'Run';

/** Lists the pod templates of a workload; the first one stands for the workload, such as by its image. */
export const podTemplatesOf = ({
  kind,
  spec,
}: {
  readonly kind: WorkloadKind;
  readonly spec: unknown;
}): readonly LocatedPodTemplate[] =>
  (workloadKinds[kind].podTemplates as (spec: unknown) => readonly LocatedPodTemplate[])(spec);

/** Lists the images that fields of a workload set besides those of its pod templates. */
export const locatedImagesOf = ({
  kind,
  spec,
}: {
  readonly kind: WorkloadKind;
  readonly spec: unknown;
}): readonly LocatedImage[] =>
  (workloadKinds[kind].images as ((spec: unknown) => readonly LocatedImage[]) | undefined)?.(spec) ?? [];
