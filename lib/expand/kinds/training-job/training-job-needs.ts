import { type Problem, type Workload } from '../../../api';
import { schedulesGangs } from '../../objects/pod-group';
import { useController } from '../use-controller';
import { trainingOf } from './training-groups';
import { type ProjectContext } from '../../project-context';

interface Need {
  readonly isUsed: boolean;
  readonly path: readonly string[];
  readonly reason: string;
  readonly remedy: string;
}

/** Lists features of a training job that native Jobs do not provide. */
export function trainingJobNeeds(
  workload: Workload<'PinterestTrainingJob'>,
  context: ProjectContext | undefined,
): Problem[] {
  const { spec } = workload;
  const { groups, members } = trainingOf(workload);
  const cleanupNeed: Need = {
    isUsed: spec.cleanPodPolicy === 'None' && spec.successPolicy === 'Leader' && members > 1,
    path: ['cleanPodPolicy'],
    reason: 'lets members continue after the leader has succeeded, but a Job either terminates them or waits for them',
    remedy: `${useController}, or set cleanPodPolicy to Running or successPolicy to AllWorkers`,
  };
  const needs: Need[] = [
    {
      isUsed: spec.gang !== undefined && !(context && schedulesGangs(context)),
      path: ['gang'],
      reason: 'starts all members together, but the scheduler of this Platform schedules each pod separately',
      remedy: `${useController}, or remove it`,
    },
    {
      isUsed: spec.cleanPodPolicy === 'All',
      path: ['cleanPodPolicy'],
      reason: 'deletes finished pods, but a Job keeps them until ttlAfterFinished expires',
      remedy: `${useController}, or use Running and a shorter ttlAfterFinished`,
    },
    ...(groups.length > 1 ? separateJobNeeds(workload) : [cleanupNeed]),
  ];
  return needs.flatMap(({ isUsed, path, reason, remedy }) =>
    isUsed ? [{ code: 'needs-controller', path: ['spec', ...path], reason, remedy }] : [],
  );
}

/** Lists features that need the state of several Jobs, for roles in separate Jobs. */
function separateJobNeeds({ spec }: Workload<'PinterestTrainingJob'>): Need[] {
  return [
    {
      isUsed: spec.roles['ps'] !== undefined,
      path: ['roles', 'ps'],
      reason: 'never completes by itself, and its Job cannot detect when the training is complete',
      remedy: useController,
    },
    {
      isUsed: spec.successPolicy === 'Leader',
      path: ['successPolicy'],
      reason: 'completes all Jobs when one succeeds, but Jobs are independent of each other',
      remedy: `${useController}, or use AllWorkers where all members complete by themselves`,
    },
    {
      isUsed: spec.successPolicy === 'AllWorkers' && spec.activeDeadline === undefined,
      path: ['activeDeadline'],
      reason: 'is missing; if one role fails permanently, the Jobs of the others would wait for it forever',
      remedy: `${useController}, or set it`,
    },
  ];
}
