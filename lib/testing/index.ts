/**
 * Builders and assertions for tests of workloads.
 *
 * @packageDocumentation
 */

// Builders: valid manifests and contexts, with overrides.
export {
  makeCronJob,
  makeDaemon,
  makeJobSet,
  makeService,
  makeStatefulSet,
  makeTrainingJob,
  type WorkloadOverrides,
} from './make-workload';
export { makeProjectContext, type WorldOverrides } from './make-project-context';
export { type Overrides } from './overrides';

// Results: the objects, or the problems.
export { objectsOf, problemsOf } from './objects-of';

// Queries on the objects, for any test runner.
export { containerOf, only, podOf } from './only';
export { snapshotOf, type SnapshotOptions } from './snapshot';
