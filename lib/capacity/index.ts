/** Sizes control plane nodes, etcd, flags and node groups from a load description. Pure computation: no cloud API, no clock. */

// Load description and the plan for it.
export { safePlanCapacity, planCapacity, type CapacityPlanResult, type CapacityPlan } from './plan/capacity-plan';
export {
  controlPlanePrograms,
  supportedVersions,
  type Load,
  type LoadInput,
  type ControlPlaneProgram,
  type SupportedVersion,
} from './load/load';
export { type Figure, type Inputs, type Reason, type Unit } from './plan/figure';
export { planGroups, plannedValues, type PlanGroup, type PlannedName, type ValueOf } from './plan/planned-values';
export { type ValueOverrides, type Values } from './plan/plan-values';
export { type NodeGroupPlan } from './sizing/node-groups';
export { instanceTypes, type InstanceType } from './sizing/instance-type';
export { autoscalerBounds, autoscalerFlags, type AutoscalerBounds } from './sizing/autoscaler-plan';
export { builtInLevels, seatsOf, type FlowControlObject, type PriorityLevel } from './sizing/flow-control';
export { flagsOf, removedFlags, type EtcdClusterName, type PlannedFlags } from './flags/planned-flags';
export { admissionProblems, ownedFlagProblem, ownedFlags } from './flags/owned-flags';
export { type EventRateLimit, type KubeletRates } from './plan/plan-outputs';

// Simulation of the 2020 incident.
export { type SimulatedControlPlane } from './incident/simulated-control-plane';
export { type SimulatedMinute } from './incident/incident';
export { simulateIncident, type IncidentSimulation } from './incident/simulate-incident';
export { controlPlaneOf, controlPlaneOf2020 } from './incident/control-planes';

// Forecast: when each limit is reached, and which values to raise.
export { forecast, type Forecast, type ForecastLimit, type Purchase } from './forecast/forecast';
export { dateOf, dayOf, safeParseHistory, type HistoryInput, type ClusterUsage } from './forecast/usage-history';
export { trendOf, type Sample, type Trend } from './forecast/trend';

// Evidence: published measurements, and the model compared with them.
export { incomparable, memoryBounds, memoryCases, type MemoryCase } from './memory/measured-cases';
export { fitMemory, leaveOneOut, meanError, predictMemory, type HoldoutCase } from './memory/fit-memory';
export { memoryCoefficients, physicalRanges, type MemoryCoefficients } from './memory/memory-model';
