/** Operations on a live control plane: node drains, machine replacement, etcd, the canary, profiles and audit. */

// Node drains and their blockers.
export { blockersOf, controllerOf, treatmentOf, type Blocker, type Treatment } from './drain/blockers';
export { selects } from './drain/label-selector';
export { isReady } from './drain/readiness';
export {
  drainWaitKinds,
  planDrain,
  type DrainPlan,
  type DrainPolicy,
  type DrainWaitKind,
  type RemainingPod,
} from './drain/drain-plan';

// Cloud machines; lib/cloud implements them on AWS.
export {
  type Machine,
  type MachineGroup,
  type Machines,
  type ControlPlaneNode,
  type TemplateContent,
  type TemplateVersion,
} from './roll/machines';

// Rolling replacement: observation, plan, execution.
export {
  type DatabaseHealth,
  type ControlPlaneHealth,
  type ReplacementReasons,
  type ObservedCluster,
} from './roll/observed-cluster';
export { defaultRollPolicy, type RollPolicy } from './roll/roll-policy';
export { planRoll } from './roll/plan-roll';
export { unitOf, type Replacement, type RollHalt, type RollPlan, type RollStep, type RollWait } from './roll/roll-plan';
export { skewProblems, type VersionSkewInput, type Versioned } from './roll/skew-problems';
export {
  controlPlaneProbe,
  defaultMetricsPorts,
  type ControlPlaneProbe,
  type ControlPlaneProbeDeps,
} from './roll/control-plane-probe';
export { readEtcdHealth } from './roll/etcd-health';
export { type RollDeps } from './roll/roll-deps';
export { RollObserver } from './roll/roll-observer';
export { rollProblems } from './roll/roll-problems';
export { surgeOf } from './roll/group-steps';
export {
  readRollState,
  rollFinding,
  rollLease,
  RollRecorder,
  rollText,
  writeRollRecord,
  type RollRecord,
  type RollState,
} from './roll/roll-record';
export { runRoll, type RollEnd, type RollListener, type RollRun } from './roll/run-roll';
export { evictPods, type RejectedEviction } from './drain/evict';

// Node identity: verification of certificate requests.
export { parseCertificateRequest, type CertificateRequest } from './identity/certificate-request';
export {
  parseIdentityRequest,
  nodeSigners,
  type DecisionReason,
  type IdentityRequest,
  type NodeCertificate,
} from './identity/identity-request';
export {
  decideIdentity,
  defaultIdentityPolicy,
  type IdentityDecision,
  type IdentityFacts,
  type IdentityPolicy,
} from './identity/decide-identity';
export { type Instance, type InstanceDirectory } from './identity/instance-directory';
export { NodeApprover, type NodeApproverDeps } from './identity/node-approver';
export { runNodeApprover, type NodeApproverRun } from './identity/run-node-approver';
export { type LogEvent } from './log-event';

// Termination handling: drains machines before their group terminates them.
export { type TerminationNotice, type DrainQueue } from './termination/drain-queue';
export { planTermination, type TerminationStep } from './termination/plan-termination';
export { processTerminations, type TerminationDeps } from './termination/process-terminations';

// etcd maintenance: observation, plan, and execution member by member.
export { EtcdCluster, type EtcdAddress } from './etcd/etcd-cluster';
export { EtcdEndpoint, EtcdRequestError, type EtcdTls } from './etcd/etcd-endpoint';
export {
  reclaimableBytes,
  isLeader,
  type EtcdAlarm,
  type EtcdAlarmKind,
  type EtcdMember,
  type EtcdObserved,
} from './etcd/etcd-observed';
export { defaultEtcdPolicy, type EtcdPolicy } from './etcd/etcd-policy';
export { etcdGate } from './etcd/etcd-gate';
export {
  compactionTarget,
  planEtcd,
  type EtcdDone,
  type EtcdGoal,
  type EtcdHalt,
  type EtcdPlan,
  type EtcdStep,
} from './etcd/plan-etcd';
export { runEtcd, type EtcdEnd, type EtcdRun, type EtcdDeps } from './etcd/run-etcd';
export { snapshotSource, streamSnapshot } from './etcd/etcd-snapshot';

// The canary: tests of each kind on each deployment path, diagnosis, and the gate.
export {
  canaryKinds,
  canarySteps,
  defaultStepLimits,
  type CanaryDeploymentPath,
  type CanaryStep,
} from './canary/canary-steps';
export { stepsOf } from './canary/kinds/canary-kinds';
export {
  emptyReport,
  withRun,
  type CanaryCase,
  type CanaryCause,
  type CanaryPart,
  type CanaryReport,
  type CanaryRun,
  type CanaryStepResult,
} from './canary/canary-report';
export { type CanaryFacts } from './canary/canary-facts';
export { diagnose } from './canary/diagnose';
export { loadReport, recordRun } from './canary/report-store';
export { canaryFreshness, evaluateCanaryReport, type CanaryVerdict } from './canary/canary-gate';
export { checkCanaryGate, type CanaryGateResult } from './canary/check-canary-gate';
export { withCanaryLease } from './canary/canary-lease';
export { canaryMetrics } from './canary/canary-metrics';
export { createDnsResolver } from './canary/create-dns-resolver';
export { stepLimitsFor, readCanarySettings, type CanarySettings } from './canary/canary-settings';
export { createSubmissionDeployer } from './canary/create-submission-deployer';
export { type CanaryDeployer } from './canary/canary-deployer';
export { CanaryNotInstalled, runCanary, type CanaryRunOptions } from './canary/run-canary';
export { type CanaryDeps, type DnsResolver } from './canary/canary-deps';

// CPU and memory profiles of control plane components.
export { InvalidProfile, readProfile, type Profile, type ProfileSample, type ValueType } from './profile/pprof';
export { otherPaths, type CodePathSum } from './profile/code-paths';
export {
  frameUnitOf,
  profileFrames,
  sumProfile,
  valueIndex,
  type FunctionSum,
  type ProfileSums,
} from './profile/profile-sums';
export { fetchProfile, ProfileUnavailable, type ProfileRequest } from './profile/fetch-profile';

// API request statistics from the audit log.
export { readAuditEvent, type AuditRecord } from './audit/audit-record';
export { gunzipStream } from './audit/gunzip-stream';
export { AuditLines, receiveRequests, type AuditEventReceiver, type AuditReceiver } from './audit/audit-lines';
export { startAuditSink, type AuditSink, type AuditSinkContent } from './audit/audit-sink';
export { AuditCounts, type AuditReport, type AuditRow, type AuditSums } from './audit/audit-counts';
export { AuditMetrics } from './audit/audit-metrics';
export { TopSketch, type SketchEntry } from './audit/top-sketch';

// Clients of the API server: their requests and cost by Project, and the practices that they violate.
export {
  ClientAccounting,
  type ClientAccountingOptions,
  type ClientReport,
  type ClientRequestName,
} from './clients/client-accounting';
export { ClientMonitor } from './clients/client-monitor';
export { readClusterClients, type ReadClusterClients } from './clients/cluster-clients';
export { readGatewayFigures, type GatewayFigures } from './clients/gateway-figures';
export { readServerFigures, type ServerFigures } from './clients/server-figures';
export { addSumsTo, type ClientRow, type ClientSums, zeroSums } from './clients/client-counts';
export { directNamespacesOf } from './clients/direct-namespaces';
export { ClientOwners, type ClientOwner } from './clients/client-owners';
export { type ApiClientName, type ClientRequest } from './clients/client-request';
export { installedGateway, type PracticeFinding } from './clients/practice-findings';
export { ClientHistoryProcess, type ClientHistoryProcessOptions } from './clients/history/client-history-process';
export { ClientHistoryRecorder, type ClientHistoryOptions } from './clients/history/client-history-recorder';
export { GatewayDeltas, type GatewayDelta } from './clients/history/gateway-deltas';
export { practices, type Practice, type PracticeName } from './clients/practices';
export { estimateSeats, type ResourceStats, type StatsByResource } from './clients/request-cost';
export { isUnknownUserAgent, normalizeUserAgent } from './clients/user-agent';
export { readApiRequest, type ApiRequest } from './clients/api-request';

// Control plane memory: the API server's cgroup, and page cache reclaim.
export { groupOf, readLimit, readMemoryStat, type CgroupVersion, type MemoryParts } from './memory/memory-stat';
export {
  memoryModes,
  planReclaim,
  defaultReclaimPolicy,
  type MemoryMode,
  type MemoryUse,
  type ReclaimPolicy,
} from './memory/plan-reclaim';
export { CgroupMemory, findGroup, CgroupUnavailable, type KernelPaths } from './memory/cgroup-memory';
export { MemoryAgent, type MemoryAgentDeps } from './memory/memory-agent';
export { readMemorySettings, type MemorySettings } from './memory/memory-settings';

// The fleet: the state of a cluster beside others.
export { readClusterSummary, type ClusterSummary } from './fleet/cluster-summary';
export { observeRollout, type RolloutObservation } from './fleet/observe-rollout';

// The train: a change goes from cluster to cluster, and stops by itself.
export { dryRunManifests } from './train/apply-manifests';
export { safeParseTrain, type Train, type TrainCluster } from './train/train';
export { nextTrainStep, type TrainObservation, type TrainStep, type TrainStepInput } from './train/next-train-step';
export { readTrainRecord, TrainConflict, type TrainRecord } from './train/train-record';
export { manifestsDigest, runTrain, type TrainEnd, type TrainStop } from './train/run-train';
