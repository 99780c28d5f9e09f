import { type Problem, type Workload } from '../../../api';
import { schedulesGangs } from '../../objects/pod-group';
import { trainingOf } from './training-groups';
import { type ProjectContext } from '../../project-context';

interface Need {
  readonly asked: boolean;
  readonly path: readonly string[];
  readonly reason: string;
  readonly remedy: string;
}

const byController = "use emit: 'resource' where the controller runs";

/** Lists what a training job requires that native Jobs cannot do by themselves. */
export function trainingJobNeeds(
  workload: Workload<'PinterestTrainingJob'>,
  context: ProjectContext | undefined,
): Problem[] {
  const { spec } = workload;
  const { groups, members } = trainingOf(workload);
  const alone: Need = {
    asked: spec.cleanPodPolicy === 'None' && spec.successPolicy === 'Leader' && members > 1,
    path: ['cleanPodPolicy'],
    reason: 'lets members continue after the leader has succeeded, and a Job either terminates them or waits for them',
    remedy: `${byController}, or set cleanPodPolicy to Running or successPolicy to AllWorkers`,
  };
  const needs: Need[] = [
    {
      asked: spec.gang !== undefined && !(context && schedulesGangs(context)),
      path: ['gang'],
      reason: 'starts all members together, and the scheduler of this Platform places each pod separately',
      remedy: `${byController}, or remove it`,
    },
    {
      asked: spec.cleanPodPolicy === 'All',
      path: ['cleanPodPolicy'],
      reason: 'deletes finished pods, and a Job keeps them until ttlAfterFinished expires',
      remedy: `${byController}, or use Running and a shorter ttlAfterFinished`,
    },
    ...(groups.length > 1 ? acrossJobs(workload) : [alone]),
  ];
  return needs.flatMap(({ asked, path, reason, remedy }) =>
    asked ? [{ code: 'needs-controller', path: ['spec', ...path], reason, remedy }] : [],
  );
}

/** Lists what roles in separate Jobs require: no Job knows the state of another. */
function acrossJobs({ spec }: Workload<'PinterestTrainingJob'>): Need[] {
  return [
    {
      asked: spec.roles['ps'] !== undefined,
      path: ['roles', 'ps'],
      reason: 'never completes by itself, and its Job does not know when the training is complete',
      remedy: byController,
    },
    {
      asked: spec.successPolicy === 'Leader',
      path: ['successPolicy'],
      reason: 'makes the success of one Job that of all, and no Job knows of another',
      remedy: `${byController}, or use AllWorkers where all members complete by themselves`,
    },
    {
      asked: spec.successPolicy === 'AllWorkers' && spec.activeDeadline === undefined,
      path: ['activeDeadline'],
      reason: 'is missing, and if one role fails permanently, the Jobs of the others would wait for it forever',
      remedy: `${byController}, or set it`,
    },
  ];
}
