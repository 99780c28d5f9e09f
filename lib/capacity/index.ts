/** Masters, etcd, flags and node groups sized from the description of a load. Pure arithmetic: no cloud, no clock. */

// The description of a load, and the plan that follows.
export { examineCapacity, planCapacity, type ExaminedPlan, type Plan } from './plan';
export { programs, supportedVersions, type Load, type LoadInput, type Program, type SupportedVersion } from './load';
export { type Figure, type Inputs, type Reason, type Unit } from './figure';
export { groups, plannedValues, type Group, type PlannedName, type ValueOf } from './planned-values';
export { type Overrides, type Values } from './sheet';
export { type NodeGroupPlan } from './node-groups';
export { builtInLevels, seatsOf, type FlowControlObject, type PriorityLevel } from './flow-control';
export { flagsOf, lostFlags, type PlannedFlags } from './flags';
