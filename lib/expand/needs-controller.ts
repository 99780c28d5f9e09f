import { type Problem, type Workload } from '../api';
import { expanderOf } from './kinds/kind-expanders';
import { useController } from './kinds/use-controller';
import { type ProjectContext } from './project-context';

/**
 * Lists features of a workload that only the controller provides at run time, and that native objects would silently
 * lack.
 *
 * The context describes the cluster; without it, only features that every cluster supports are assumed. `how` is the
 * remedy of the entry point.
 */
export const needsController = (workload: Workload, context?: ProjectContext, how: string = useController): Problem[] =>
  expanderOf(workload)
    .controllerNeeds(workload, context)
    .map((problem) => ({ ...problem, remedy: problem.remedy.replace(useController, how) }));
