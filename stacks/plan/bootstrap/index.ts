/** Generates the user data of a cluster's machines from its specification. Pure. */

// Machine configuration.
export { parameterNames, type NodeClusterConfig, type KubernetesPatchVersion } from './node-cluster-config';
export {
  type ControlPlaneSpec,
  type EtcdSpec,
  type Flags,
  type Member,
  type OidcAuthentication,
  type OidcIssuer,
} from './control-plane/control-plane-spec';
export { hostParts, type HostParts, type ProfilePart } from './host-parts';
export {
  pageCacheReclaimProgram,
  pageCacheReclaimUnit,
  withPageCacheReclaim,
  type PageCacheReclaim,
} from './control-plane/page-cache-reclaim';
export { type KubeletSpec, type NodeTaint } from './kubelet-configuration';
export { type WorkerSpec } from './worker';

// Generated files and user data.
export { type MachineFile } from './text/machine-file';
export { controlPlaneFiles, controlPlaneUserData } from './control-plane/control-plane-node';
export { workerFiles, workerUserData } from './worker';
export { userDataLimit, type UserData } from './user-data';
export { controlPlaneProblems, workerProblems } from './machine-problems';
