/** Entry point of impact: what a change of a cluster's manifests does to its workloads. Pure: it only compares expansions. */
export { computeImpact, impactSteps, type ClusterImpact } from './compute-impact';
export { workloadKeyOf, type ImpactDocument, type ImpactSide } from './impact-side';
export { type ImpactOutcome, type ImpactSubject, type ObjectImpact, type WorkloadImpact } from './workload-impact';
export { type ChangedObject, type WriteCounts } from './object-writes';
export { type PlatformImpact } from './platform-impact';
export { assumedStartSeconds } from './replacement-time';
export { type RolloutImpact, type SecondsRange, type WaveImpact } from './rollout-impact';
export { type NodeSurge, type UnplacedSurge } from './node-surge';
export { type QuotaSurge, type QuotaUsage } from './quota-surge';
export { chooseProfile, type ImpactWait, type ProfileChoice, type ProfileChoiceInput } from './profile-choice';
export {
  childSelector,
  parseSnapshot,
  snapshotFormat,
  snapshotObject,
  type ClusterSnapshot,
  type SnapshotDefinition,
  type SnapshotObject,
} from './cluster-snapshot';
export { snapshotSides, type AppliedManifests } from './snapshot-sides';
