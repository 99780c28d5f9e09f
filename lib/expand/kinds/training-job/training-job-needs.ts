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

/** What a training job asks for that native Jobs cannot do by themselves. */
export function trainingJobNeeds(
  workload: Workload<'PinterestTrainingJob'>,
  context: ProjectContext | undefined,
): Problem[] {
  const { spec } = workload;
  const { groups, members } = trainingOf(workload);
  const alone: Need = {
    asked: spec.cleanPodPolicy === 'None' && spec.successPolicy === 'Leader' && members > 1,
    path: ['cleanPodPolicy'],
    reason: 'lets members run on after the leader has succeeded, and a Job either ends them or waits for them',
    remedy: `${byController}, or set cleanPodPolicy to Running or successPolicy to AllWorkers`,
  };
  const needs: Need[] = [
    {
      asked: spec.gang !== undefined && !(context && schedulesGangs(context)),
      path: ['gang'],
      reason: 'starts all members together, and the scheduler of this Platform places each pod by itself',
      remedy: `${byController}, or leave it out`,
    },
    {
      asked: spec.cleanPodPolicy === 'All',
      path: ['cleanPodPolicy'],
      reason: 'removes pods that have ended, and a Job keeps them until ttlAfterFinished expires',
      remedy: `${byController}, or use Running and a shorter ttlAfterFinished`,
    },
    ...(groups.length > 1 ? acrossJobs(workload) : [alone]),
  ];
  return needs.flatMap(({ asked, path, reason, remedy }) =>
    asked ? [{ code: 'needs-controller', path: ['spec', ...path], reason, remedy }] : [],
  );
}

/** Roles that differ are Jobs of their own, and no Job knows how another one fares. */
function acrossJobs({ spec }: Workload<'PinterestTrainingJob'>): Need[] {
  return [
    {
      asked: spec.roles['ps'] !== undefined,
      path: ['roles', 'ps'],
      reason: 'never ends by itself, and its Job does not know when the training is over',
      remedy: byController,
    },
    {
      asked: spec.successPolicy === 'Leader',
      path: ['successPolicy'],
      reason: 'lets the success of one Job be that of all, and no Job knows of another',
      remedy: `${byController}, or use AllWorkers where all members end by themselves`,
    },
    {
      asked: spec.successPolicy === 'AllWorkers' && spec.activeDeadline === undefined,
      path: ['activeDeadline'],
      reason: 'is missing, and where one role fails for good the Jobs of the others would wait for it for ever',
      remedy: `${byController}, or give a deadline`,
    },
  ];
}
