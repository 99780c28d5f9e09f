/** For tests of workloads, an app team's as ours: valid inputs, a world around them, what they become, and a text of it. */

// Inputs: valid as they are, with what a test is about said anew.
export {
  makeCronJob,
  makeDaemon,
  makeJobSet,
  makeService,
  makeStatefulSet,
  makeTrainingJob,
  type WorkloadOverrides,
} from './make-workload';
export { makeWorld, type WorldOverrides } from './make-world';
export { type Overrides } from './overrides';

// Outcomes: the objects, or what is wrong.
export { objectsOf, problemsOf } from './objects-of';

// Questions about the objects, in any test runner.
export { containerOf, only, podOf } from './only';
export { snapshotOf, type SnapshotOptions } from './snapshot';
