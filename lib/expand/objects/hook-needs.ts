import { hooksOf, type Problem, type Workload } from '../../api';

/** Lists the hooks of a workload, which only the controller runs before a deployment. */
export const hookNeeds = (workload: Workload): Problem[] =>
  hooksOf(workload).length === 0
    ? []
    : [
        {
          code: 'needs-controller',
          path: ['spec', 'beforeDeployment'],
          reason: 'runs before pods change, but native objects are all applied at once',
          remedy: "use emit: 'resource' where the controller runs, or remove it",
        },
      ];

/** Returns the maximum number of hooks that run at the same time; undefined if there are none. */
export const concurrentHooks = (workload: Workload): number | undefined =>
  hooksOf(workload).length === 0 ? undefined : 1;
