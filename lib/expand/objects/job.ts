import { type PodFailurePolicyRule } from '../../api';
import { formatIndexes } from './index-ranges';
import { type Pod } from '../pods/pod';
import { secondsOf } from './seconds';

/** Fields of a Job that its workload sets as a user writes them. */
interface JobOptions {
  readonly retries: number;
  readonly activeDeadline?: string | undefined;
  readonly ttlAfterFinished?: string | undefined;
  readonly podFailurePolicy?: { readonly rules: readonly PodFailurePolicyRule[] } | undefined;
  readonly podReplacementPolicy?: 'TerminatingOrFailed' | 'Failed' | undefined;
  readonly successPolicy?:
    { readonly shards?: readonly number[] | undefined; readonly count?: number | undefined } | undefined;
  readonly suspend: boolean;
}

/** How much work one Job is, and how much of it may fail. */
export interface JobWork {
  /** Pods that must succeed; more than one get an index each. */
  readonly completions: number;
  /** Pods at the same time. */
  readonly parallelism: number;
  /** Gives pods an index even where there is only one. */
  readonly indexed: boolean;
  /** Indexes that may fail before the rest is ended; all where left out. */
  readonly maxFailed?: number | undefined;
}

/** The annotation by which an Indexed Job tells a pod its index. */
export const completionIndexAnnotation = 'batch.kubernetes.io/job-completion-index';

/** `spec` of a Job; a pod that failed stays to be looked at, and another one replaces it. */
export function jobSpec(options: JobOptions, work: JobWork, pod: Pod): Readonly<Record<string, unknown>> {
  const { retries, activeDeadline, podReplacementPolicy, successPolicy, suspend, ttlAfterFinished } = options;
  const failureRules = options.podFailurePolicy?.rules ?? [];
  const { completions, parallelism, indexed, maxFailed } = work;
  const hasFailureRules = failureRules.length > 0;
  return {
    ...(indexed && { completionMode: 'Indexed' }),
    completions,
    parallelism: Math.min(parallelism, completions),
    ...(indexed ? { backoffLimitPerIndex: retries } : { backoffLimit: retries }),
    ...(indexed && maxFailed !== undefined && { maxFailedIndexes: maxFailed }),
    ...(hasFailureRules && {
      podFailurePolicy: { rules: failureRules.map((rule) => (indexed ? rule : ofWholeJob(rule))) },
    }),
    ...(indexed && successPolicy && { successPolicy: { rules: [successRule(successPolicy)] } }),
    podReplacementPolicy: hasFailureRules || podReplacementPolicy === 'Failed' ? 'Failed' : 'TerminatingOrFailed',
    ...(activeDeadline !== undefined && { activeDeadlineSeconds: secondsOf(activeDeadline) }),
    ...(ttlAfterFinished !== undefined && { ttlSecondsAfterFinished: secondsOf(ttlAfterFinished) }),
    ...(suspend && { suspend: true }),
    template: pod.template,
  };
}

/** A Job without indexes has nothing smaller than itself to fail. */
const ofWholeJob = (rule: PodFailurePolicyRule) =>
  rule.action === 'FailIndex' ? { ...rule, action: 'FailJob' as const } : rule;

function successRule({ shards, count }: NonNullable<JobOptions['successPolicy']>) {
  return {
    ...(shards && { succeededIndexes: formatIndexes(shards) }),
    ...(count !== undefined && { succeededCount: count }),
  };
}
