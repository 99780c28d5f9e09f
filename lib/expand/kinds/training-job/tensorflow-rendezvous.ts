import { type EnvVar, type Workload } from '../../../api';
import { memberHost, type Training, type TrainingGroup } from './training-groups';
import { taskIndex } from './training-index';

/** Roles in TensorFlow's cluster; an evaluator only reads checkpoints and is not part of it. */
const clusterRoles = ['chief', 'ps', 'worker'];

/** Returns TF_CONFIG, which lists all members and identifies the current one; nothing for a single member, which would wait for a cluster. */
export function tensorflowVariables(
  workload: Workload<'PinterestTrainingJob'>,
  training: Training,
  group: TrainingGroup,
): EnvVar[] {
  const { service } = training;
  if (service === undefined) return [];
  const cluster = JSON.stringify(
    Object.fromEntries(
      clusterRoles.flatMap((role) => {
        const found = training.groups.find(({ roles }) => roles[0] === role);
        return found === undefined ? [] : [[role, addressesOf(workload, found, service)]];
      }),
    ),
  );
  const task = `{"type":"${group.roles[0] ?? ''}","index":$(${taskIndex})}`;
  return [{ name: 'TF_CONFIG', value: `{"cluster":${cluster},"task":${task}}` }];
}

const addressesOf = (workload: Workload<'PinterestTrainingJob'>, group: TrainingGroup, service: string): string[] =>
  Array.from(
    { length: group.members },
    (_, index) => `${memberHost(workload, group, index, service)}:${workload.spec.port}`,
  );
