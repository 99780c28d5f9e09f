import { impactDigest } from '../../expand';
import { type RolloutSpec, type RolloutStatus, type RolloutWorkload } from './rollout-workload';

/** What the digest of an impact depends on. */
export interface ImpactInput {
  /** @default - it has not started */
  readonly previous: RolloutStatus | undefined;
  /** Last revision that was rolled out. */
  readonly completed: string;
  readonly workloads: readonly Pick<RolloutWorkload, 'impact'>[];
}

/**
 * Returns whether the impact of a rollout requires an approval. A rollback has none, because it is the remedy; one of a Project has
 * none, because the report of an impact has one digest, of the Platform.
 */
const isRequired = ({ policy, project, rollbackOf }: RolloutSpec): boolean =>
  policy.requireApproval && project === undefined && rollbackOf === undefined;

/** Returns whether the digest of the impact of a rollout follows its workloads: it does until the first wave has started. Pure. */
export const isImpactOpen = (spec: RolloutSpec, previous: RolloutStatus | undefined): boolean =>
  isRequired(spec) &&
  (previous?.impact === undefined || (previous.waves ?? []).every(({ started }) => started === undefined));

/**
 * Returns the digest of the impact that must be approved; undefined if none must. It stays once a wave has started: workloads that have
 * moved would otherwise be missing in it. Pure.
 */
export function impactToApprove(
  spec: RolloutSpec,
  { previous, completed, workloads }: ImpactInput,
): string | undefined {
  if (!isImpactOpen(spec, previous)) return isRequired(spec) ? previous?.impact : undefined;
  return impactDigest({
    from: completed,
    to: spec.revision,
    classes: workloads.flatMap(({ impact = [] }) => impact),
  });
}
