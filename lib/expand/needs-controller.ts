import { type Problem, type Workload } from '../api';
import { needsOfJobSet } from './job-set-needs';

/** What only the controller can do at run time: the native door refuses it, so that nothing is silently left out. */
export function needsController(workload: Workload): Problem[] {
  if (workload.kind === 'PinterestJobSet') return needsOfJobSet(workload as Workload<'PinterestJobSet'>);
  return [];
}
