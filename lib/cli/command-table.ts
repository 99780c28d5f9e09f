import type * as ApproveFile from './commands/approve/approve-command';
import type * as ArtifactFile from './commands/artifact/artifact-command';
import type * as CanaryFile from './commands/canary/canary-command';
import type * as CancelFile from './commands/cancel/cancel-command';
import type * as CapacityFile from './commands/capacity/capacity-command';
import type * as CheckFile from './commands/check/check-command';
import type * as ClientsFile from './commands/clients/clients-command';
import type * as ClusterFile from './commands/cluster/cluster-command';
import type * as CompletionFile from './commands/completion/completion-command';
import type * as CrdsFile from './commands/crds/crds-command';
import type * as DashboardsFile from './commands/dashboards/dashboards-command';
import type * as DeployFile from './commands/deploy/deploy-command';
import type * as DiffFile from './commands/diff/diff-command';
import type * as EtcdFile from './commands/etcd/etcd-command';
import type * as ExplainFile from './commands/explain/explain-command';
import type * as FleetFile from './commands/fleet/fleet-command';
import type * as HelpFile from './commands/help/help-command';
import type * as HistoryFile from './commands/history/history-command';
import type * as ImpactFile from './commands/impact/impact-command';
import type * as ImportFile from './commands/import/import-command';
import type * as InitFile from './commands/init/init-command';
import type * as InstallFile from './commands/install/install-command';
import type * as AuditFile from './commands/audit/audit-command';
import type * as NodesFile from './commands/nodes/nodes-command';
import type * as PlatformFile from './commands/platform/platform-command';
import type * as ProfileFile from './commands/profile/profile-command';
import type * as PublishFile from './commands/publish/publish-command';
import type * as QuotaFile from './commands/quota/quota-command';
import type * as RenderFile from './commands/render/render-command';
import type * as RollbackFile from './commands/rollback/rollback-command';
import type * as RolloutFile from './commands/rollout/rollout-command';
import type * as StatusFile from './commands/status/status-command';
import type * as SubmissionFile from './commands/submission/submission-command';
import type * as TrainFile from './commands/train/train-command';
import type * as VersionsFile from './commands/versions/versions-command';
import type * as RulesFile from './commands/rules/rules-command';
import { type CommandEntry, type CommandTable } from './command/command';

/** All commands. Each is loaded when it is called, so that a cold start loads one. */
export const commandTable: CommandTable = {
  init: {
    summary: 'create a project with one workload, its test and CI',
    load: () => (module.require('./commands/init/init-command') as typeof InitFile).initCommand,
  },
  check: {
    summary: 'validate manifests',
    load: () => (module.require('./commands/check/check-command') as typeof CheckFile).checkCommand,
  },
  render: {
    summary: 'print the native objects of manifests',
    load: () => (module.require('./commands/render/render-command') as typeof RenderFile).renderCommand,
  },
  explain: {
    summary: 'show the origin of every generated field',
    load: () => (module.require('./commands/explain/explain-command') as typeof ExplainFile).explainCommand,
  },
  crds: {
    summary: 'print the CustomResourceDefinitions',
    load: () => (module.require('./commands/crds/crds-command') as typeof CrdsFile).crdsCommand,
  },
  install: {
    summary: 'print the manifests that install pinion',
    load: () => (module.require('./commands/install/install-command') as typeof InstallFile).installCommand,
  },
  platform: {
    summary: 'write the Platform and Projects of a cluster to pinion.platform.yaml',
    load: () => (module.require('./commands/platform/platform-command') as typeof PlatformFile).platformCommand,
  },
  import: {
    summary: 'convert a native workload to a custom resource',
    load: () => (module.require('./commands/import/import-command') as typeof ImportFile).importCommand,
  },
  nodes: {
    summary: 'show what runs on each node and what blocks draining it',
    load: () => (module.require('./commands/nodes/nodes-command') as typeof NodesFile).nodesCommand,
  },
  capacity: {
    summary: 'plan control plane nodes, etcd, flags and node groups for a load',
    load: () => (module.require('./commands/capacity/capacity-command') as typeof CapacityFile).capacityCommand,
  },
  etcd: {
    summary: 'analyze etcd databases and recover members without free space',
    load: () => (module.require('./commands/etcd/etcd-command') as typeof EtcdFile).etcdCommand,
  },
  profile: {
    summary: 'profile CPU and memory of control plane components',
    load: () => (module.require('./commands/profile/profile-command') as typeof ProfileFile).profileCommand,
  },
  audit: {
    summary: 'summarize API requests from the audit log',
    load: () => (module.require('./commands/audit/audit-command') as typeof AuditFile).auditCommand,
  },
  clients: {
    summary: 'show who sends requests to the API server, their cost and bad practices',
    load: () => (module.require('./commands/clients/clients-command') as typeof ClientsFile).clientsCommand,
  },
  fleet: {
    summary: 'show the state of several clusters beside each other',
    load: () => (module.require('./commands/fleet/fleet-command') as typeof FleetFile).fleetCommand,
  },
  train: {
    summary: 'move a change from cluster to cluster',
    load: () => (module.require('./commands/train/train-command') as typeof TrainFile).trainCommand,
  },
  rollout: {
    summary: 'show and control how a change of the Platform reaches workloads in waves',
    load: () => (module.require('./commands/rollout/rollout-command') as typeof RolloutFile).rolloutCommand,
  },
  cluster: {
    summary: 'replace machines whose launch template changed',
    load: () => (module.require('./commands/cluster/cluster-command') as typeof ClusterFile).clusterCommand,
  },
  canary: {
    summary: 'test every kind through every deployment path',
    load: () => (module.require('./commands/canary/canary-command') as typeof CanaryFile).canaryCommand,
  },
  rules: {
    summary: 'print recording and alerting rules for Prometheus',
    load: () => (module.require('./commands/rules/rules-command') as typeof RulesFile).rulesCommand,
  },
  dashboards: {
    summary: 'print Grafana dashboards',
    load: () => (module.require('./commands/dashboards/dashboards-command') as typeof DashboardsFile).dashboardsCommand,
  },
  quota: {
    summary: 'propose, review and forecast project quotas',
    load: () => (module.require('./commands/quota/quota-command') as typeof QuotaFile).quotaCommand,
  },
  submission: {
    summary: 'print the manifests of the submission service',
    load: () => (module.require('./commands/submission/submission-command') as typeof SubmissionFile).submissionCommand,
  },
  publish: {
    summary: 'sign the workloads of a workflow and publish them as a version',
    load: () => (module.require('./commands/publish/publish-command') as typeof PublishFile).publishCommand,
  },
  artifact: {
    summary: 'show, verify and prune published artifacts',
    load: () => (module.require('./commands/artifact/artifact-command') as typeof ArtifactFile).artifactCommand,
  },
  deploy: {
    summary: 'deploy a published version to a stage',
    load: () => (module.require('./commands/deploy/deploy-command') as typeof DeployFile).deployCommand,
  },
  status: {
    summary: 'show projects, workloads and deployments, and why some are not Ready',
    load: () => (module.require('./commands/status/status-command') as typeof StatusFile).statusCommand,
  },
  diff: {
    summary: 'show what changes between two inputs, and which pods restart',
    load: () => (module.require('./commands/diff/diff-command') as typeof DiffFile).diffCommand,
  },
  impact: {
    summary: 'show what a change of the platform does to its workloads before it is applied',
    load: () => (module.require('./commands/impact/impact-command') as typeof ImpactFile).impactCommand,
  },
  rollback: {
    summary: 'deploy the previous Ready version of a stage',
    load: () => (module.require('./commands/rollback/rollback-command') as typeof RollbackFile).rollbackCommand,
  },
  history: {
    summary: 'list past deployments',
    load: () => (module.require('./commands/history/history-command') as typeof HistoryFile).historyCommand,
  },
  versions: {
    summary: 'list published versions',
    load: () => (module.require('./commands/versions/versions-command') as typeof VersionsFile).versionsCommand,
  },
  approve: {
    summary: 'approve a published version for a stage',
    load: () => (module.require('./commands/approve/approve-command') as typeof ApproveFile).approveCommand,
  },
  cancel: {
    summary: 'cancel a queued deployment',
    load: () => (module.require('./commands/cancel/cancel-command') as typeof CancelFile).cancelCommand,
  },
  completion: {
    summary: 'print the completion script for a shell',
    load: () =>
      (module.require('./commands/completion/completion-command') as typeof CompletionFile).completionCommandOf(
        rootCommand,
      ),
  },
  help: {
    summary: 'show the help of a command',
    load: () => (module.require('./commands/help/help-command') as typeof HelpFile).helpCommandOf(rootCommand),
  },
};

/** The program itself: the group of all commands. */
export const rootCommand: CommandEntry = {
  summary: 'validate, render, deploy and operate workloads on Kubernetes',
  load: () => ({ subcommands: commandTable }),
};
