import { type EnvVar, type Workload } from '../../../api';
import { leaderHost, type Training, type TrainingGroup } from './training-groups';
import { indexVariable } from './training-index';

/**
 * Returns the variables that identify a JAX process and its coordinator, member 0: those of Kubeflow's JAXJob, and those
 * of its TrainJob.
 *
 * `jax.distributed.initialize` itself reads only JAX_COORDINATOR_ADDRESS; the program passes the process ID and count.
 */
export function jaxVariables(
  workload: Workload<'PinterestTrainingJob'>,
  training: Training,
  group: TrainingGroup,
): EnvVar[] {
  const host = leaderHost(workload, training, group);
  const port = String(workload.spec.port);
  const processes = String(training.members);
  return [
    { name: 'COORDINATOR_ADDRESS', value: host },
    { name: 'COORDINATOR_PORT', value: port },
    { name: 'NUM_PROCESSES', value: processes },
    indexVariable('PROCESS_ID'),
    { name: 'JAX_COORDINATOR_ADDRESS', value: `${host}:${port}` },
    { name: 'JAX_COORDINATOR_PORT', value: port },
    { name: 'JAX_NUM_PROCESSES', value: processes },
    indexVariable('JAX_PROCESS_ID'),
  ];
}
