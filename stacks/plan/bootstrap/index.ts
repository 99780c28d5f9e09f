/** From what a cluster is to what its machines are started with: text in, text out. */

// What machines are told.
export { parameterNames, type ClusterFacts, type KubernetesVersion } from './cluster-facts';
export {
  type ControlPlaneSpec,
  type EtcdSpec,
  type Flags,
  type Member,
  type People,
  type PeopleIssuer,
} from './control-plane-spec';
export { hostParts, type HostParts, type ProfilePart } from './host-parts';
export { masterMemoryProgram, masterMemoryUnit, withMasterMemory, type MasterMemory } from './master-memory';
export { type KubeletSpec, type Taint } from './kubelet-configuration';
export { type WorkerSpec } from './worker';

// What they are started with.
export { type MachineFile } from './machine-file';
export { masterFiles, masterUserData } from './master';
export { workerFiles, workerUserData } from './worker';
export { userDataLimit, type UserData } from './user-data';
export { controlPlaneProblems, workerProblems } from './machine-problems';
