/**
 * Builders and assertions for tests of workloads.
 *
 * @packageDocumentation
 */

// Builders: valid manifests and contexts, with overrides.
export { makeCronJob } from './kinds/pinterest-cron-job';
export { makeDaemon } from './kinds/pinterest-daemon';
export { makeJobSet, makeReplicatedJobSet } from './kinds/pinterest-job-set';
export { makeService } from './kinds/pinterest-service';
export { makeStatefulSet } from './kinds/pinterest-stateful-set';
export { makeTrainingJob } from './kinds/pinterest-training-job';
export { type WorkloadOverrides } from './workload-maker';
export { makeProjectContext, type ProjectContextOverrides } from './make-project-context';
export { type Overrides } from './overrides';

// Results: the objects, or the problems.
export { objectsOf, problemsOf } from './objects-of';

// Assertions: a workload without problems, and what a runtime profile changes.
export { expectReady, type TestedConstruct } from './expect-ready';
export { profileChanges, type NextProfile } from './profile-changes';
export { ReadyWorkload } from './ready-workload';

// Queries on the objects, for any test runner.
export { containerOf, only, podOf } from './only';
export { snapshotOf, type SnapshotOptions } from './snapshot';
