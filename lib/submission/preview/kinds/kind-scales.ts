import { type Workload, type WorkloadKind } from '../../../api';
import { type KindScale, type Scale } from './kind-scale';
import { pinterestCronJobScale } from './pinterest-cron-job';
import { pinterestDaemonScale } from './pinterest-daemon';
import { pinterestJobSetScale } from './pinterest-job-set';
import { pinterestServiceScale } from './pinterest-service';
import { pinterestStatefulSetScale } from './pinterest-stateful-set';
import { pinterestTrainingJobScale } from './pinterest-training-job';

const kindScales: { readonly [K in WorkloadKind]: KindScale<K> } = {
  PinterestService: pinterestServiceScale,
  PinterestJobSet: pinterestJobSetScale,
  PinterestCronJob: pinterestCronJobScale,
  PinterestDaemon: pinterestDaemonScale,
  PinterestTrainingJob: pinterestTrainingJobScale,
  PinterestStatefulSet: pinterestStatefulSetScale,
};

/** Returns how a workload scales; undefined if none of its fields may be chosen freely. */
export const scaleOf = ({ kind, spec }: Workload): Scale | undefined =>
  (kindScales[kind] as KindScale<WorkloadKind>)(spec);
