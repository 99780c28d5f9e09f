import { type WorkloadKind } from '../../../../api';
import { type Starter } from '../starter';
import { cronJobStarter } from './pinterest-cron-job';
import { daemonStarter } from './pinterest-daemon';
import { jobSetStarter } from './pinterest-job-set';
import { serviceStarter } from './pinterest-service';
import { statefulSetStarter } from './pinterest-stateful-set';
import { trainingJobStarter } from './pinterest-training-job';

const byKind: { readonly [K in WorkloadKind]: Starter<K> } = {
  PinterestService: serviceStarter,
  PinterestJobSet: jobSetStarter,
  PinterestCronJob: cronJobStarter,
  PinterestDaemon: daemonStarter,
  PinterestTrainingJob: trainingJobStarter,
  PinterestStatefulSet: statefulSetStarter,
};

/** The starter that is used unless another kind is chosen. */
export const defaultStarter: Starter = byKind.PinterestService;

/** One starter per workload kind. */
export const starters: readonly Starter[] = Object.values(byKind);

/** Starters by their word on the command line. */
export const starterByWord: ReadonlyMap<string, Starter> = new Map(starters.map((starter) => [starter.word, starter]));
