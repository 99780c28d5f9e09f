/** Masters, etcd, flags and node groups sized from the description of a load. Pure arithmetic: no cloud, no clock. */

// The description of a load, and the plan that follows.
export { examineCapacity, planCapacity, type ExaminedPlan, type Plan } from './plan';
export { programs, supportedVersions, type Load, type LoadInput, type Program, type SupportedVersion } from './load';
export { type Figure, type Inputs, type Reason, type Unit } from './figure';
export { groups, plannedValues, type Group, type PlannedName, type ValueOf } from './planned-values';
export { type Overrides, type Values } from './sheet';
export { type NodeGroupPlan } from './node-groups';
export { instanceTypes, type InstanceType } from './machine-sizes';
export { autoscalerBounds, autoscalerFlags, type AutoscalerBounds } from './autoscaler';
export { builtInLevels, seatsOf, type FlowControlObject, type PriorityLevel } from './flow-control';
export { flagsOf, lostFlags, type EtcdName, type PlannedFlags } from './flags';
export { admissionProblems, ownedFlagProblem, ownedFlags } from './machine-flags';
export { type EventRateLimit, type KubeletRates } from './outputs';

// The incident of 2020, minute by minute.
export { type ControlPlane } from './control-plane';
export { type Minute } from './incident';
export { rehearse, type Rehearsal } from './rehearsal';
export { planeOf, planeOf2020 } from './planes';

// Growth: when each limit is reached, and what to buy.
export { forecast, type Forecast, type ForecastLimit, type Purchase } from './forecast';
export { dateOf, dayOf, examineHistory, type HistoryInput, type Usage } from './history';
export { trendOf, type Sample, type Trend } from './growth-trend';

// The evidence: published measurements, and the model held against them.
export { incomparable, memoryBounds, memoryCases, type MemoryCase } from './measured-cases';
export { fitMemory, leaveOneOut, meanError, modelled, type LeftOut } from './memory-fit';
export { memoryCoefficients, physicalRanges, type MemoryCoefficients } from './memory-model';
