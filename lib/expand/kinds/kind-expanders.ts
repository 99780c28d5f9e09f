import { type Workload, type WorkloadKind } from '../../api';
import { type KindExpander } from './kind-expander';
import { pinterestCronJobExpander } from './pinterest-cron-job';
import { pinterestDaemonExpander } from './pinterest-daemon';
import { pinterestJobSetExpander } from './pinterest-job-set';
import { pinterestServiceExpander } from './pinterest-service';
import { pinterestStatefulSetExpander } from './pinterest-stateful-set';
import { pinterestTrainingJobExpander } from './pinterest-training-job';

/** The expanders of all workload kinds. */
export const kindExpanders: { readonly [K in WorkloadKind]: KindExpander<K> } = {
  PinterestService: pinterestServiceExpander,
  PinterestJobSet: pinterestJobSetExpander,
  PinterestCronJob: pinterestCronJobExpander,
  PinterestDaemon: pinterestDaemonExpander,
  PinterestTrainingJob: pinterestTrainingJobExpander,
  PinterestStatefulSet: pinterestStatefulSetExpander,
};

/** Returns the expander of a workload's kind. */
export const expanderOf = ({ kind }: Workload): KindExpander<WorkloadKind> =>
  kindExpanders[kind] as KindExpander<WorkloadKind>;
