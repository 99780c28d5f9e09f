import { type JsonSchema, type PodSpec } from '../native';

/** Pod field that the platform sets to a value that a manifest determines, so that a template may repeat it. */
export interface PlatformPodField {
  /** Schema of the field in CustomResourceDefinitions. */
  readonly schema: JsonSchema;
  /** Value in all workloads of the kind, the only one that the schema allows. @default - see equals */
  readonly value?: string | boolean;
  /**
   * Returns the CEL expression of whether a value, which is an expression itself, is that of the platform; `self` is the
   * custom resource with its defaults. @default - see value
   */
  readonly equals?: (value: string) => string;
}

/** Pod fields whose value of the platform a template may repeat, by name. */
export type PlatformPodFields = { readonly [Name in keyof PodSpec]?: PlatformPodField };

const always = (value: string | boolean): PlatformPodField => ({
  schema: { type: typeof value, enum: [value] },
  value,
});

/** The service account of a workload with a longer name has a shortened name. */
const maxAccountName = 63;
const account: PlatformPodField = {
  schema: { type: 'string', maxLength: maxAccountName },
  equals: (value) => `self.metadata.name == ${value} && size(${value}) <= ${maxAccountName}`,
};

const grace = 'self.spec.termination.gracePeriod';
/** Seconds of the grace period. Durations of CEL have no days, and the cost of those that a rule puts together is too high. */
const graceSeconds = [
  `(${grace}.contains("d") ? int(${grace}.find("^[0-9]+")) * 86400 : 0)`,
  `(${grace}.endsWith("d") ? 0 : duration(${grace}.find("[0-9]+[hms].*")).getSeconds())`,
].join(' + ');

/** Returns the field that has the value of a boolean expression. */
export const podFlag = (expression: string): PlatformPodField => ({
  schema: { type: 'boolean' },
  equals: (value) => `${value} == (${expression})`,
});

/** Priority class of a workload that names its tier. */
export const tierPriority = {
  schema: { type: 'string', maxLength: 63 },
  equals: (value: string) => `has(self.spec.tier) && self.spec.tier == ${value}`,
} satisfies PlatformPodField;

const commonFields = {
  serviceAccountName: account,
  serviceAccount: account,
  priorityClassName: tierPriority,
  schedulerName: always('default-scheduler'),
  terminationGracePeriodSeconds: {
    schema: { type: 'integer', minimum: 0 },
    // Pods get fractions of a second rounded up.
    equals: (value) => `!${grace}.contains("ms") && ${value} == ${graceSeconds}`,
  },
  hostNetwork: always(false),
  hostPID: always(false),
  hostIPC: always(false),
} satisfies PlatformPodFields;

/** Fields of pods that run until they are replaced. */
export const continuousPodFields = { ...commonFields, restartPolicy: always('Always') } satisfies PlatformPodFields;

/** Fields of pods that run to completion: failed ones are replaced, so that each attempt keeps its logs. */
export const runPodFields = { ...commonFields, restartPolicy: always('Never') } satisfies PlatformPodFields;
