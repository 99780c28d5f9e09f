import type * as z from 'zod';
import { type PlatformPodFields } from '../fields/platform-pod-fields';
import { type PodTemplate } from '../fields/pod-template';
import { type CustomResourceColumnDefinition } from '../native';
import { type FieldPath } from '../problem';
import { type ValidationRule } from '../rules/validation-rule';

/** Names of a kind at the API server. */
export interface KindNames {
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
}

/** Names, description and printer columns of a kind. */
export interface KindDefinition extends KindNames {
  /** Description in one sentence, for the CRD, the docs and editors. */
  readonly summary: string;
  /** Columns of `kubectl get`. */
  readonly columns: readonly CustomResourceColumnDefinition[];
  /** Rules across the name and the spec. @default - none */
  readonly manifestRules?: readonly ValidationRule[];
}

/** Schemas of a kind. */
export interface KindSchemas {
  /** Creates the schema of `spec`; called once, when the kind is first used. */
  readonly spec: () => z.ZodType;
  /** Creates the schema of `status`. */
  readonly status: () => z.ZodType;
}

/**
 * Facts about a workload kind for shared code, which never branches on a kind's name.
 *
 * Behavior of a module for a kind is in `kinds/<kind>.ts` of that module.
 */
export interface WorkloadTraits {
  /** `Continuous` pods run until replaced, a `Run` completes once, a `Schedule` starts runs at set times. */
  readonly lifecycle: 'Continuous' | 'Run' | 'Schedule';
  /** Whether `kubectl scale` and autoscalers set its number of pods. */
  readonly scales: boolean;
  /** Whether clients reach its pods through a load balancer. */
  readonly serves: boolean;
  /** Whether its pods have stable names and find each other by them. */
  readonly hasMembers: boolean;
  /** Whether it runs one pod on every node. */
  readonly perNode: boolean;
}

/** A pod template of a workload and its path. */
export interface LocatedPodTemplate {
  readonly template: PodTemplate;
  readonly path: FieldPath;
}

/** Image that a field outside of the pod templates sets, and its path. */
export interface LocatedImage {
  /** Name of the container that runs it. */
  readonly container: string;
  readonly image: string;
  readonly path: FieldPath;
}

/** Names, description, printer columns and traits of a workload kind. */
export interface WorkloadKindDefinition extends KindDefinition {
  readonly traits: WorkloadTraits;
  /** Lists the pod templates of a spec; the first one stands for the workload, such as by its image. */
  readonly podTemplates: (spec: never) => readonly LocatedPodTemplate[];
  /** Fields of the pods that the platform sets, and whose values templates may repeat. */
  readonly podFields: PlatformPodFields;
  /** Lists the images that fields outside of the pod templates set. @default - none */
  readonly images?: (spec: never) => readonly LocatedImage[];
}

/** Lists the pod template of a kind that has exactly one. */
export const onePodTemplate = ({ template }: { readonly template: PodTemplate }): readonly LocatedPodTemplate[] => [
  { template, path: ['spec', 'template'] },
];
