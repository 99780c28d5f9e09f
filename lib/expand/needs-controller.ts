import { type Problem, type Workload } from '../api';
import { needsOfJobSet } from './kinds/job-set/job-set-needs';
import { needsOfTrainingJob } from './kinds/training-job/training-job-needs';
import { type ProjectContext } from './project-context';

/**
 * What only the controller can do at run time: the native door refuses it, so that nothing is silently left out.
 *
 * The context tells what this cluster does by itself; without it, nothing beyond what every cluster does.
 */
export function needsController(workload: Workload, context?: ProjectContext): Problem[] {
  if (workload.kind === 'PinterestJobSet') return needsOfJobSet(workload);
  if (workload.kind === 'PinterestTrainingJob') return needsOfTrainingJob(workload, context);
  return [];
}
