import { type Problem, type Workload } from '../api';
import { expanderOf } from './kinds/kind-expanders';
import { type ProjectContext } from './project-context';

/**
 * Lists what a workload requires that only the controller can do at run time, so that native objects alone would
 * silently lack it.
 *
 * The context describes the cluster; without one, only what every cluster supports is assumed.
 */
export const needsController = (workload: Workload, context?: ProjectContext): Problem[] =>
  expanderOf(workload).controllerNeeds(workload, context);
