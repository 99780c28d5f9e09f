import { type ClusterImpact } from '../../../impact';
import { isBreaking } from '../../../definitions';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type DefinitionReport } from '../crds/definition-report';

/** Impact of a change on a cluster, with that of its definitions. */
export interface ReportedImpact extends ClusterImpact {
  /** What `pinion crds check` finds. @default - neither side has definitions */
  readonly definitions?: DefinitionReport;
}

/** Impact of a change on one or more clusters. */
export interface ImpactReport {
  /** Version of pinion that expanded both sides. */
  readonly pinion: string;
  /** How restarts were found: by comparing expansions, which knows no mutating webhooks. */
  readonly method: 'estimate';
  readonly clusters: readonly ReportedImpact[];
  /** Clusters and snapshots of which nothing could be read, each with the reason. @default - none */
  readonly unreachable?: readonly { readonly cluster: string; readonly reason: string }[];
  /** Which manifests beside the inputs are used, one line each. */
  readonly notes: readonly string[];
}

/** Returns the exit code of a report: the highest one that applies. */
export function impactExitCode({ clusters, unreachable = [] }: ImpactReport): ExitCode {
  const some = (test: (cluster: ReportedImpact) => boolean): boolean => clusters.some(test);
  const isUnknown = ({ counts, unread, definitions }: ReportedImpact): boolean =>
    counts.unknown + unread.length > 0 || hasUnknown(definitions);
  if (unreachable.length > 0 || some(isUnknown)) return exitCodes.unknown;
  const isRejected = ({ counts, platform, definitions }: ReportedImpact): boolean =>
    counts.blocked > 0 ||
    platform.some(({ reason }) => reason !== undefined) ||
    (definitions !== undefined && isBreaking(definitions.verdict));
  if (some(isRejected)) return exitCodes.blocked;
  const isDue = ({ workloads }: ClusterImpact): boolean => workloads.some(({ within }) => within !== undefined);
  return some((cluster) => cluster.counts.restarts > 0 || isDue(cluster)) ? exitCodes.restarts : exitCodes.success;
}

const hasUnknown = (definitions: DefinitionReport | undefined): boolean =>
  definitions?.findings.some((finding) => finding.class === 'unknown' && finding.acknowledged !== true) === true;
