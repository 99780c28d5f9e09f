import { type PinionKind } from './kinds';

/** Each kind in one sentence: its hover, its description in the CRD, the first line of its page. */
export const kindSummaries: Readonly<Record<PinionKind, string>> = {
  PinterestService: 'A long-running stateless workload, and how clients reach it.',
  PinterestJobSet: 'Work to completion, cut into independent shards that each know their index and the count.',
  PinterestCronJob: 'Work that begins by the clock and ends when it is done.',
  PinterestDaemon: 'One pod on every node, for projects of the infrastructure.',
  PinterestTrainingJob: 'Distributed training with TensorFlow or PyTorch, its members found and started together.',
  PinterestStatefulSet: 'Members with names and volumes of their own.',
  Project: 'Who owns a namespace, what its workloads may use together, and what guards it.',
  RuntimeProfile: 'What the platform adds to workloads, nodes and machines; immutable once made.',
  Platform: 'The facts of one cluster that workloads lean on, and the runtime profile in force.',
};
