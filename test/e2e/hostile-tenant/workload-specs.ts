import { type WorkloadKind } from '../../../lib/api';
import { smallTemplate } from '../pinion-suite';

const template = smallTemplate();

/** Specs of small workloads. */
export const specs: Readonly<Record<WorkloadKind, object>> = {
  PinterestService: { template },
  PinterestStatefulSet: { template },
  PinterestDaemon: { template },
  PinterestCronJob: { schedule: '@daily', template },
  PinterestJobSet: { shards: 1, template },
  PinterestTrainingJob: { framework: 'pytorch', roles: { worker: { replicas: 1 } }, template },
};
