import { type ClusterImpact } from '../../../impact';
import { exitCodes, type ExitCode } from '../../command/exit-codes';

/** Impact of a change on one or more clusters. */
export interface ImpactReport {
  /** Version of pinion that expanded both sides. */
  readonly pinion: string;
  /** How restarts were found: by comparing expansions, which knows no mutating webhooks. */
  readonly method: 'estimate';
  readonly clusters: readonly ClusterImpact[];
  /** Clusters and snapshots of which nothing could be read, each with the reason. @default - none */
  readonly unreachable?: readonly { readonly cluster: string; readonly reason: string }[];
  /** Which manifests beside the inputs are used, one line each. */
  readonly notes: readonly string[];
}

/** Returns the exit code of a report: the highest one that applies. */
export function impactExitCode({ clusters, unreachable = [] }: ImpactReport): ExitCode {
  const some = (test: (cluster: ClusterImpact) => boolean): boolean => clusters.some(test);
  if (unreachable.length > 0 || some(({ counts, unread }) => counts.unknown + unread.length > 0))
    return exitCodes.unknown;
  const isRejected = ({ counts, platform }: ClusterImpact): boolean =>
    counts.blocked > 0 || platform.some(({ reason }) => reason !== undefined);
  if (some(isRejected)) return exitCodes.blocked;
  const isDue = ({ workloads }: ClusterImpact): boolean => workloads.some(({ within }) => within !== undefined);
  return some((cluster) => cluster.counts.restarts > 0 || isDue(cluster)) ? exitCodes.restarts : exitCodes.success;
}
