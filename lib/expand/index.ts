/** Entry point of expand: turns a workload and its context into Kubernetes objects. Pure: no clock, environment, files, network or randomness. */
export { safeExpand, expand, expandUnchecked, problemsOfValidFields, type Expanded } from './expand';
export { needsController } from './needs-controller';
export { traceOrigins, type ExplainedObject, type Origin } from './explain/trace-origins';
export {
  podChanges,
  distinctCauses,
  type ComparedObjects,
  type PodChange,
  type PodChangeOptions,
} from './restarts/pod-changes';
export { podEffects, type PodEffect } from './restarts/pod-effect';
export { type ChangeCause, type ExpansionSource } from './restarts/change-causes';
export { fieldDifferences, type FieldDifference } from './restarts/field-differences';
export { appliedObjectHash, ownedMetadata, type ObjectOwner } from './stored/applied-object-hash';
export { contentDigest } from './stored/content-digest';
export { firstDifference, satisfies } from './stored/satisfies';
export { immutableFieldsOf } from './restarts/immutable-fields';
export {
  resolvePlatform,
  createProjectContext,
  isBuiltInProfile,
  type PlatformContext,
  type ProjectContext,
} from './project-context';
export {
  claimedNames,
  nameConflictProblem,
  ProjectNameOwnership,
  uncontestedNames,
  type OwnedProjectNames,
  type ProjectClaim,
  type ProjectNames,
} from './platform/project-names';
export { endpointsOf, type Endpoints } from './endpoints/endpoints';
export { type EndpointPort } from './endpoints/endpoint-ports';
export { restrictionsOf, withPeers, type AccessPeer, type AddedPeers } from './objects/access-peers';
export { trainingHosts } from './kinds/training-job/training-hosts';
export { projectReferenceProblems } from './platform/project-references';
export { rolloutReferenceProblems } from './platform/rollout-references';
export { inApplyOrder, type KubernetesObject } from './objects/kubernetes-object';
export { defaultPlatform } from './platform/default-platform';
export { defaultProfile } from './profile/default-profile';
export { expandProject, deployerName, memberAccount, quotaOf } from './platform/expand-project';
export { expandPlatform, nodeSupport, renderPlatform } from './platform/expand-platform';
export { gatewayInjectionKind } from './policies/gateway/gateway-injection';
export { admissionPolicies } from './policies/admission-policies';
export { breakGlassPolicyName } from './policies/break-glass';
export { imageDigestProblems } from './policies/image-digests';
export { isProtectedProject } from './policies/rule-facts';
export { allowsAnnotation } from './policies/ingress-rules';
export { hostsOf } from './objects/ingress';
export { ingressRoutesOf, type ServedRoute } from './inputs/ingress-routes-of';
export { WorkloadSet, type LiveNeighbors } from './inputs/workload-set';
export { versionOfImage, withoutDeployment } from './objects/labels';
export { sharedConfigMap, sharedConfigName, type OnChange } from './objects/shared-config-map';
export { freeze } from './objects/freeze';
export { deploymentHash } from './objects/deployment-hash';
export { hookJobName, hookOf } from './objects/hook-jobs';
export { hookSelectorOf, kindOfPod, selectorOf } from './objects/labels';
export { platformAsRecorded, platformWithProfile, type RuntimeStatus } from './platform/platform-with-profile';
export { nextRuntimeRecord, withRuntimeSettings } from './platform/runtime-record';
export {
  platformRevisionName,
  platformRevisionOf,
  manifestsOfRevision,
  type PlatformRevision,
} from './revisions/platform-revision';
export {
  knownProjectRevision,
  projectAtRevision,
  projectRevisionOf,
  projectRevisionsOf,
  type ProjectRevision,
  type ProjectRevisions,
} from './revisions/project-revision';
export { acceptedRevisions, type RevisionSources } from './revisions/accepted-revisions';
export {
  ignoredRevisions,
  nextRevisionRecord,
  recordedRevision,
  recordSources,
  revisionRecordOf,
  type RevisionRecord,
} from './revisions/recorded-revision';
export { selectRevision, type RevisionInput } from './revisions/select-revision';
export {
  hasRolledOut,
  isRevisionTested,
  isRolloutEnded,
  isRolloutLeft,
  rolloutsOf,
  rolloutsSinceCompleted,
  releasedRevisions,
} from './revisions/rollout-progress';
export { rolloutMoveOf, type MovingWorkload, type RolloutDirection, type RolloutMove } from './revisions/rollout-move';
export { blockedEffect, revisionEffectOf, type RevisionEffect } from './revisions/revision-effect';
export { resolveRevision, tryResolvePlatform, unknownRevision, type ClusterResult } from './revisions/resolve-revision';
export {
  revisionStateOf,
  revisionWithProfile,
  storedRevisionsOf,
  type ProjectRevisionState,
  type RevisionProgress,
  type RevisionState,
  type StoredPlatformObject,
  type StoredRevision,
} from './revisions/revision-state';
export { FollowedRevisions, type FollowingWorkload } from './revisions/followed-revisions';
export { assignWaves, type AssignedWave, type WaveMember } from './revisions/assign-waves';
export {
  completedSince,
  currentRollout,
  emergencyEnd,
  isOpenRollout,
  newestRolloutsFirst,
  rollbackOfRollout,
  rolloutPhaseOf,
  rolloutProgressTime,
  type StoredRollout,
} from './revisions/current-rollout';
export { isRollbackExpected, nextRolloutStep } from './revisions/next-rollout-step';
export { impactClassesOf, impactDigest, type ImpactClassInput, type ImpactIdentity } from './revisions/impact-digest';
export { nextReleaseRecord, type ReleaseRecord } from './expansion-guard/release-record';
export { deployedSpecHash, isDeployment } from './expansion-guard/deployed-spec-hash';
export { expansionInputs, type ExpansionInputs } from './expansion-guard/expansion-inputs';
export { podTemplatesHash } from './expansion-guard/pod-templates-hash';
export {
  expansionAnnotation,
  revisionsOnObjects,
  type RevisionSubject,
  type ExpansionHashes,
  type RecordedObject,
} from './expansion-guard/recorded-expansion';
export {
  guardExpansion,
  type ExpansionRecord,
  type GuardedExpansion,
  type GuardInput,
} from './expansion-guard/guard-expansion';
export { timeOf } from './objects/time-of';
export { writtenHash } from './objects/written-hash';
export { sortedHash } from './objects/sorted-hash';
export { podTemplateSpecOf } from './objects/pod-spec-of';
export { labelOf, shortHash } from './objects/name';
export { schedulesGangs } from './objects/pod-group';
export { secondsOf } from './objects/seconds';
export { formatIndexes } from './objects/index-ranges';
export { replicaName, replicaOfMember } from './kinds/job-set/replicated-job';
export { podFootprint } from './footprint/pod-footprint';
export {
  claimAmounts,
  footprintOf,
  podAmounts,
  podsAtPeak,
  type DaemonNodes,
  type SomeObject,
} from './footprint/footprint';
export { workloadFootprint } from './footprint/workload-footprint';
export { admits, nodeOf, type NodeOffer, type SchedulableNode } from './footprint/node-match';
export { safeInstallManifests, installManifests, type Installation } from './install/install-manifests';
export { safeUninstallManifests, isKept, uninstallManifests } from './install/uninstall-manifests';
export { type InstallOptions, type UninstallOptions } from './install/install-options';
export { controllerProfilePort, type ControllerDeploymentOptions } from './install/controller-deployment';
export { type ProgramPlacement } from './install/program-deployment';
export { gatewayName, gatewayPermissions, gatewayStatusPort } from './install/gateway-objects';
export {
  clientHistoryPermissions,
  clientMonitorName,
  clientMonitorNamespace,
  clientMonitorPermissions,
  clientMonitorPorts,
  gatewayEndpointPermissions,
} from './install/client-monitor-objects';
export { accessRoles, bindableRoles, execRole, memberRole } from './install/access-roles';
export { controllerRules, leaseRules } from './install/controller-rules';
export { childKindsOf } from './install/kind-access';
export {
  controllerName,
  scopeOf,
  platformControllerName,
  controllerUser,
  controllerUsers,
  type ControllerScope,
  type ControllerUsers,
} from './install/controller-identities';
export { installedPolicies, isOwnPolicy } from './install/installed-policies';
export { type PolicyRule } from './install/policy-rule';
