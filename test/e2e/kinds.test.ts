import { connectedWorkloads } from './lifecycles/connected-workloads';
import { cronJobLifecycle } from './lifecycles/cron-job-lifecycle';
import { statefulSetLifecycle } from './lifecycles/stateful-set-lifecycle';
import { trainingJobLifecycle } from './lifecycles/training-job-lifecycle';
import { describePinion } from './pinion-suite';

// Timeouts are generous because test machines are busy.
jest.setTimeout(240_000);

describePinion('workloads of several kinds on one cluster', (pinion) => {
  cronJobLifecycle(pinion);
  statefulSetLifecycle(pinion);
  trainingJobLifecycle(pinion);
  connectedWorkloads(pinion);
});
