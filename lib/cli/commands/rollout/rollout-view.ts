import { textAt, type RolloutPhase, type Spec, type Status } from '../../../api';
import {
  emergencyEnd,
  isOpenRollout,
  nextRolloutStep,
  rollbackOfRollout,
  rolloutPhaseOf,
  type StoredRollout,
} from '../../../expand';
import { type LiveObject } from '../../../kube';

type RolloutStatus = Status<'PlatformRollout'>;

/** A workload with who is responsible for it. */
interface OwnedView {
  readonly kind: string;
  readonly project: string;
  readonly name: string;
  /** Team of the Project; undefined if it may not be read. */
  readonly team?: string;
  /** On-call contact of the Project. */
  readonly onCall?: string;
}

/** A workload that failed or cannot move, with the reason. */
export interface FindingView extends OwnedView {
  /** Its kind, project and name, such as `PinterestService/shop/cart`. */
  readonly workload: string;
  readonly message: string;
}

/** A workload that was released and is not ready at its revision yet. */
export interface TransitView extends OwnedView {
  readonly wave: string;
  readonly since: string;
  /** Seconds since its release. */
  readonly seconds: number;
}

/** A rollout as commands show it. */
export interface RolloutView {
  readonly name: string;
  readonly phase: RolloutPhase;
  readonly reason?: string;
  readonly message?: string;
  readonly revision: string;
  /** Project whose change it rolls out. */
  readonly project?: string;
  /** Rollout that it rolls back. */
  readonly rollbackOf?: string;
  /** Why the rollout that it rolls back ended. */
  readonly cause?: { readonly name: string; readonly reason?: string; readonly message?: string };
  /** Rollout that rolls it back. */
  readonly rollback?: { readonly name: string; readonly phase: RolloutPhase };
  readonly started?: string;
  readonly ended?: string;
  readonly wave?: string;
  readonly workloads: number;
  readonly completed: number;
  /** Digest of its impact, if it must be approved, and the one that is approved. */
  readonly impact?: string;
  readonly approvedImpact?: string;
  readonly waves: NonNullable<RolloutStatus['waves']>;
  readonly transit: readonly TransitView[];
  readonly failed: readonly FindingView[];
  readonly blocked: readonly FindingView[];
  readonly emergency?: NonNullable<Spec<'PlatformRollout'>['emergency']> & { readonly isActive: boolean };
  /** What happens next or what to do, as one sentence. */
  readonly nextStep: string;
}

/** Returns the view of a rollout; `rollouts` are all of the cluster, and `now` is in milliseconds since 1970. */
export function rolloutView(
  rollout: StoredRollout,
  rollouts: readonly StoredRollout[],
  projects: readonly LiveObject[],
  now: number,
): RolloutView {
  const { metadata, spec, status = {} } = rollout;
  const { reason, message, started, ended, wave, workloads = 0, completed = 0, impact } = status;
  const rollback = rollbackOfRollout(rollouts, rollout);
  const owners = new Map(projects.map((project) => [project.metadata.name, project]));
  return {
    ...{ name: metadata.name, phase: rolloutPhaseOf(rollout) },
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    revision: spec.revision,
    ...(spec.project !== undefined && { project: spec.project }),
    ...(spec.rollbackOf !== undefined && { rollbackOf: spec.rollbackOf }),
    ...causeOf(spec.rollbackOf, rollouts),
    ...(rollback && { rollback: { name: rollback.metadata.name, phase: rolloutPhaseOf(rollback) } }),
    ...(started !== undefined && { started }),
    ...(ended !== undefined && { ended }),
    ...(wave !== undefined && { wave }),
    ...{ workloads, completed, waves: status.waves ?? [] },
    ...(impact !== undefined && { impact }),
    ...(spec.approvedImpact !== undefined && { approvedImpact: spec.approvedImpact }),
    transit: (status.transit ?? []).map((one) => transitView(one, owners, now)),
    failed: (status.failed ?? []).map((one) => ({ ...one, ...ownedView(one.workload, owners) })),
    blocked: (status.blocked ?? []).map((one) => ({ ...one, ...ownedView(one.workload, owners) })),
    ...(spec.emergency && {
      emergency: { ...spec.emergency, isActive: isOpenRollout(rollout) && now < (emergencyEnd(rollout) ?? 0) },
    }),
    nextStep: nextRolloutStep(rollout, rollback),
  };
}

/** Returns why the rollout of a name ended; nothing if it was deleted. */
function causeOf(name: string | undefined, rollouts: readonly StoredRollout[]): Pick<RolloutView, 'cause'> {
  const status = rollouts.find(({ metadata }) => metadata.name === name)?.status;
  if (name === undefined || !status) return {};
  const { reason, message } = status;
  return { cause: { name, ...(reason !== undefined && { reason }), ...(message !== undefined && { message }) } };
}

function transitView(
  { workload, wave, since }: NonNullable<RolloutStatus['transit']>[number],
  projects: ReadonlyMap<string, LiveObject>,
  now: number,
): TransitView {
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000));
  return { ...ownedView(workload, projects), wave, since, seconds };
}

function ownedView(workload: string, projects: ReadonlyMap<string, LiveObject>): OwnedView {
  const [kind = '', project = '', name = ''] = workload.split('/');
  const spec = projects.get(project)?.['spec'];
  const [team, onCall] = [textAt(spec, 'team'), textAt(spec, 'onCall')];
  return { kind, project, name, ...(team !== undefined && { team }), ...(onCall !== undefined && { onCall }) };
}
