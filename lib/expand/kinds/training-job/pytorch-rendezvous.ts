import { type EnvVar, type Workload } from '../../../api';
import { indexVariable } from './training-index';
import { leaderHost, type Training, type TrainingGroup } from './training-groups';

type TrainingJob = Workload<'PinterestTrainingJob'>;

/** Seconds that a member waits for the rendezvous store; pulling an image can take longer than torchrun's default of 60. */
const storeTimeout = 600;

/** Returns whether torchrun must assign the ranks, because members are elastic or in several Jobs, so indexes cannot serve as ranks. */
export const usesDynamicRendezvous = ({ spec }: TrainingJob, { groups }: Training): boolean =>
  spec.elastic !== undefined || groups.length > 1;

/** Returns the host name of the member that runs the rendezvous store; torchrun compares it with its own host name. */
export const storeHost = ({ groups }: Training): string => `${(groups[0] as TrainingGroup).job}-0`;

/** Returns the variables that PyTorch and torchrun use to find the other members. */
export function pytorchVariables(workload: TrainingJob, training: Training, group: TrainingGroup): EnvVar[] {
  const { spec } = workload;
  const processes = processesOf(workload, group);
  return usesDynamicRendezvous(workload, training)
    ? dynamicVariables(workload, training, processes)
    : staticVariables(workload, training, group, processes, spec.port);
}

const processesOf = ({ spec }: TrainingJob, { accelerated }: TrainingGroup): number =>
  spec.processesPerNode ?? (accelerated ? (spec.accelerators?.count ?? 1) : 1);

function staticVariables(
  workload: TrainingJob,
  training: Training,
  group: TrainingGroup,
  processes: number,
  port: number,
): EnvVar[] {
  const { members } = training;
  const host = leaderHost(workload, training, group);
  return [
    { name: 'MASTER_ADDR', value: host },
    { name: 'MASTER_PORT', value: String(port) },
    ...(processes === 1 ? [{ name: 'WORLD_SIZE', value: String(members) }, indexVariable('RANK')] : []),
    { name: 'PET_NNODES', value: String(members) },
    { name: 'PET_NPROC_PER_NODE', value: String(processes) },
    indexVariable('PET_NODE_RANK'),
    { name: 'PET_MASTER_ADDR', value: host },
    { name: 'PET_MASTER_PORT', value: String(port) },
  ];
}

function dynamicVariables({ spec, metadata }: TrainingJob, training: Training, processes: number): EnvVar[] {
  const { elastic, port } = spec;
  const nodes = elastic ? `${elastic.minReplicas}:${elastic.maxReplicas}` : String(training.members);
  return [
    { name: 'PET_NNODES', value: nodes },
    { name: 'PET_NPROC_PER_NODE', value: String(processes) },
    { name: 'PET_RDZV_BACKEND', value: 'c10d' },
    { name: 'PET_RDZV_ENDPOINT', value: `${storeHost(training)}:${port}` },
    { name: 'PET_RDZV_ID', value: metadata.name },
    { name: 'PET_RDZV_CONF', value: `read_timeout=${storeTimeout}` },
    ...(elastic ? [{ name: 'PET_MAX_RESTARTS', value: String(elastic.maxRestarts) }] : []),
  ];
}
