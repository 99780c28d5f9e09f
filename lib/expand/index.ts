/** What the platform makes of what a person says. Pure: no clock, environment, file, network or randomness. */
export { examineExpansion, expand, type Expanded } from './expand';
export { needsController } from './needs-controller';
export { originsOf, type ExplainedObject, type Origin } from './origins';
export { resolve, type Cluster, type World } from './world';
export { inApplyOrder, type KubernetesObject } from './kubernetes-object';
export { defaultPlatform } from './default-platform';
export { defaultProfile } from './default-profile';
export { expandProject, deployerName } from './project';
export { expandPlatform, nodeSupport } from './platform';
export { admissionPolicies } from './admission-policy';
export { hostsOf } from './ingress';
export { freeze } from './freeze';
export { labelOf, shortHash } from './name';
export { schedulesGangs } from './pod-group';
export { secondsOf } from './seconds';
export { podFootprint } from './pod-footprint';
