import { type PodFailurePolicyRule } from '../../api';
import { formatIndexes } from './index-ranges';
import { type Pod } from '../pods/pod';
import { secondsOf } from './seconds';

/** Fields of a workload that its Jobs inherit. */
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

/** Completions of a Job, and how many of them may fail. */
export interface JobWork {
  /** Number of pods that must succeed. */
  readonly completions: number;
  /** Maximum number of concurrent pods. */
  readonly parallelism: number;
  /** Whether each pod has an index, even if there is only one. */
  readonly indexed: boolean;
  /** Number of indexes that may fail before the Job fails. Defaults to all. */
  readonly maxFailed?: number | undefined;
}

/** Annotation of a pod with its index in an Indexed Job. */
export const completionIndexAnnotation = 'batch.kubernetes.io/job-completion-index';

/** Returns the `spec` of a Job; failed pods are kept for inspection and replaced by new ones. */
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
      podFailurePolicy: { rules: failureRules.map((rule) => (indexed ? rule : asWholeJobRule(rule))) },
    }),
    ...(indexed && successPolicy && { successPolicy: { rules: [successRule(successPolicy)] } }),
    podReplacementPolicy: hasFailureRules || podReplacementPolicy === 'Failed' ? 'Failed' : 'TerminatingOrFailed',
    ...(activeDeadline !== undefined && { activeDeadlineSeconds: secondsOf(activeDeadline) }),
    ...(ttlAfterFinished !== undefined && { ttlSecondsAfterFinished: secondsOf(ttlAfterFinished) }),
    ...(suspend && { suspend: true }),
    template: pod.template,
  };
}

/** Converts a rule for a Job without indexes, which can only fail as a whole. */
const asWholeJobRule = (rule: PodFailurePolicyRule) =>
  rule.action === 'FailIndex' ? { ...rule, action: 'FailJob' as const } : rule;

function successRule({ shards, count }: NonNullable<JobOptions['successPolicy']>) {
  return {
    ...(shards && { succeededIndexes: formatIndexes(shards) }),
    ...(count !== undefined && { succeededCount: count }),
  };
}
