import { jobSetJobs } from './lifecycles/job-set-jobs';
import { jobSetLifecycle } from './lifecycles/job-set-lifecycle';
import { jobSetRuns } from './lifecycles/job-set-runs';
import { describePinion } from './pinion-suite';

// Timeouts are generous because test machines are busy.
jest.setTimeout(240_000);

describePinion('job sets on one cluster', (pinion) => {
  jobSetLifecycle(pinion);
  jobSetJobs(pinion);
  jobSetRuns(pinion);
});
