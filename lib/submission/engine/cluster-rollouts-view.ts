import { isWorkloadKind, type Status } from '../../api';
import { type ClusterRolloutsView, type RolloutDetail, type RolloutSummary } from '../../contract';
import {
  currentRollout,
  emergencyEnd,
  isOpenRollout,
  newestRolloutsFirst,
  nextRolloutStep,
  rollbackOfRollout,
  rolloutPhaseOf,
  type StoredRollout,
} from '../../expand';
import { type DeploymentTarget } from '../targets/deployment-target';

/** Maximum rollouts in a view: the controller keeps as many. */
const maxRecent = 10;

/** Returns whether a caller may see the workloads of a project. */
export type IsVisibleProject = (project: string) => boolean;

/**
 * Returns the rollouts of the Platform of a cluster. Workloads of projects that are not visible are only counted; `now` is in
 * milliseconds since the Unix epoch.
 */
export function clusterRolloutsView(
  target: DeploymentTarget,
  isVisible: IsVisibleProject,
  now: number,
): ClusterRolloutsView {
  const isShown = ({ spec: { project } }: StoredRollout): boolean => project === undefined || isVisible(project);
  const rollouts = target.rollouts().filter(isShown);
  const revisions = target.revisions();
  const current = currentRollout(rollouts);
  return {
    target: target.name,
    enabled: target.platform()?.spec.rollouts !== undefined,
    ...(revisions && { revision: revisions.current, completed: revisions.completed }),
    ...(current && { current: detailOf(current, rollouts, isVisible, now) }),
    recent: newestRolloutsFirst(rollouts).slice(0, maxRecent).map(summaryOf),
  };
}

function summaryOf(rollout: StoredRollout): RolloutSummary {
  const { metadata, spec, status = {} } = rollout;
  const { reason, started, ended, workloads = 0, completed = 0 } = status;
  return {
    name: metadata.name,
    phase: rolloutPhaseOf(rollout),
    ...(reason !== undefined && { reason }),
    revision: spec.revision,
    ...(spec.project !== undefined && { project: spec.project }),
    ...(spec.rollbackOf !== undefined && { rollbackOf: spec.rollbackOf }),
    ...(started !== undefined && { started }),
    ...(ended !== undefined && { ended }),
    ...{ workloads, completed },
  };
}

function detailOf(
  rollout: StoredRollout,
  rollouts: readonly StoredRollout[],
  isVisible: IsVisibleProject,
  now: number,
): RolloutDetail {
  const { spec, status = {} } = rollout;
  const { message, wave, waves = [], transit = [], failed = [], blocked = [] } = status;
  const rollback = rollbackOfRollout(rollouts, rollout);
  const listed = <T extends { readonly workload: string }>(items: readonly T[]) => splitByVisibility(items, isVisible);
  const { items: inTransit, hidden } = listed(transit);
  return {
    ...summaryOf(rollout),
    ...(message !== undefined && { message: visibleMessage(message, isVisible) }),
    nextStep: nextRolloutStep(rollout, rollback),
    ...(rollback && { rollback: { name: rollback.metadata.name, phase: rolloutPhaseOf(rollback) } }),
    ...causeOf(spec.rollbackOf, rollouts, isVisible),
    ...(spec.emergency && {
      emergency: { ...spec.emergency, active: isOpenRollout(rollout) && now < (emergencyEnd(rollout) ?? 0) },
    }),
    ...(wave !== undefined && { wave }),
    waves: waves.map((one) => ({ ...one })),
    transit: { listed: inTransit.map(({ key, item: { wave, since } }) => ({ ...key, wave, since })), hidden },
    failed: findingsOf(listed(failed)),
    blocked: findingsOf(listed(blocked)),
  };
}

/** Returns why the rollout that a rollback reverts ended; nothing of one that was deleted. */
function causeOf(
  name: string | undefined,
  rollouts: readonly StoredRollout[],
  isVisible: IsVisibleProject,
): Pick<RolloutDetail, 'cause'> {
  const status = rollouts.find(({ metadata }) => metadata.name === name)?.status;
  if (name === undefined || !status) return {};
  const { reason, message, failed = [] } = status;
  return {
    cause: {
      name,
      ...(reason !== undefined && { reason }),
      ...(message !== undefined && { message: visibleMessage(message, isVisible) }),
      failed: findingsOf(splitByVisibility(failed, isVisible)),
    },
  };
}

type Finding = NonNullable<Status<'PlatformRollout'>['failed']>[number];

const findingsOf = ({ items, hidden }: Split<Finding>): RolloutDetail['failed'] => ({
  listed: items.map(({ key, item: { message } }) => ({ ...key, message })),
  hidden,
});

type WorkloadName = Pick<RolloutDetail['transit']['listed'][number], 'project' | 'kind' | 'name'>;

interface Split<T> {
  readonly items: readonly { readonly key: WorkloadName; readonly item: T }[];
  readonly hidden: number;
}

function splitByVisibility<T extends { readonly workload: string }>(
  all: readonly T[],
  isVisible: IsVisibleProject,
): Split<T> {
  const items = all.flatMap((item) => {
    const key = nameOf(item.workload);
    return key && isVisible(key.project) ? [{ key, item }] : [];
  });
  return { items, hidden: all.length - items.length };
}

/** Returns the parts of kind/project/name; undefined for a kind that the contract does not know. */
function nameOf(workload: string): WorkloadName | undefined {
  const [kind, project, name] = workload.split('/');
  return isWorkloadKind(kind) && project !== undefined && name !== undefined ? { project, kind, name } : undefined;
}

/** Workloads in a message of a rollout. */
const namedWorkloads = /\bPinterest[A-Za-z]*\/[^\s,;:]*/g;

/** Returns a message unless it names a workload that is not visible: its details are about that, too. */
function visibleMessage(message: string, isVisible: IsVisibleProject): string {
  const named = (message.match(namedWorkloads) ?? []).map((text) => nameOf(text)?.project);
  return named.every((project) => project !== undefined && isVisible(project)) ? message : hiddenMessage;
}

const hiddenMessage =
  'the details name workloads of projects that you are not a member of; the platform team sees them';
