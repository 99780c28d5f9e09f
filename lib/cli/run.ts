import { nearest } from '../api';
import { parseArguments, UsageError } from './command/arguments';
import type * as ApproveFile from './commands/approve/approve-command';
import type * as ArtifactFile from './commands/artifact/artifact-command';
import type * as CanaryFile from './commands/canary/canary-command';
import type * as CancelFile from './commands/cancel/cancel-command';
import type * as CapacityFile from './commands/capacity/capacity-command';
import type * as CheckFile from './commands/check/check-command';
import type * as ClusterFile from './commands/cluster/cluster-command';
import type * as CompletionFile from './commands/completion/completion-command';
import type * as CrdsFile from './commands/crds/crds-command';
import type * as DashboardsFile from './commands/dashboards/dashboards-command';
import type * as DeployFile from './commands/deploy/deploy-command';
import type * as DiffFile from './commands/diff/diff-command';
import type * as EtcdFile from './commands/etcd/etcd-command';
import { exitCodes, exitCodesHelp, type ExitCode } from './command/exit-codes';
import type * as ExplainFile from './commands/explain/explain-command';
import type * as HistoryFile from './commands/history/history-command';
import type * as ImportFile from './commands/import/import-command';
import type * as InstallFile from './commands/install/install-command';
import { UnavailableError, OutputClosed, type Io } from './io/io';
import type * as LoadFile from './commands/audit/audit-command';
import type * as NodesFile from './commands/nodes/nodes-command';
import { ownVersion } from './io/own-version';
import type * as PlatformFile from './commands/platform/platform-command';
import type * as ProfileFile from './commands/profile/profile-command';
import type * as PublishFile from './commands/publish/publish-command';
import type * as QuotaFile from './commands/quota/quota-command';
import type * as RenderFile from './commands/render/render-command';
import type * as RollbackFile from './commands/rollback/rollback-command';
import type * as StatusFile from './commands/status/status-command';
import type * as SubmissionFile from './commands/submission/submission-command';
import { type Command, type CommandTable } from './command/command';
import type * as VersionsFile from './commands/versions/versions-command';
import type * as RulesFile from './commands/rules/rules-command';

/** Each verb is loaded when it is called: a cold start pays for one. */
const verbs: CommandTable = {
  check: {
    does: 'validate manifests',
    load: () => (module.require('./commands/check/check-command') as typeof CheckFile).checkCommand,
  },
  render: {
    does: 'print the native objects of manifests',
    load: () => (module.require('./commands/render/render-command') as typeof RenderFile).renderCommand,
  },
  explain: {
    does: 'show the origin of every generated field',
    load: () => (module.require('./commands/explain/explain-command') as typeof ExplainFile).explainCommand,
  },
  crds: {
    does: 'print the CustomResourceDefinitions',
    load: () => (module.require('./commands/crds/crds-command') as typeof CrdsFile).crdsCommand,
  },
  install: {
    does: 'print the manifests that install pinion',
    load: () => (module.require('./commands/install/install-command') as typeof InstallFile).installCommand,
  },
  platform: {
    does: "write the cluster's Platform and Projects to pinion.platform.yaml",
    load: () => (module.require('./commands/platform/platform-command') as typeof PlatformFile).platformCommand,
  },
  import: {
    does: 'convert a native workload to a custom resource',
    load: () => (module.require('./commands/import/import-command') as typeof ImportFile).importCommand,
  },
  nodes: {
    does: 'show tenants of each node and what blocks draining it',
    load: () => (module.require('./commands/nodes/nodes-command') as typeof NodesFile).nodesCommand,
  },
  capacity: {
    does: 'size control plane nodes, etcd, flags and node groups for a load',
    load: () => (module.require('./commands/capacity/capacity-command') as typeof CapacityFile).capacityCommand,
  },
  etcd: {
    does: 'analyze etcd databases and recover members without free space',
    load: () => (module.require('./commands/etcd/etcd-command') as typeof EtcdFile).etcdCommand,
  },
  profile: {
    does: 'profile CPU and memory of control plane programs',
    load: () => (module.require('./commands/profile/profile-command') as typeof ProfileFile).profileCommand,
  },
  audit: {
    does: 'summarize API requests from the audit log',
    load: () => (module.require('./commands/audit/audit-command') as typeof LoadFile).auditCommand,
  },
  cluster: {
    does: 'replace machines whose launch template changed',
    load: () => (module.require('./commands/cluster/cluster-command') as typeof ClusterFile).clusterCommand,
  },
  canary: {
    does: 'test every kind through every deployment path',
    load: () => (module.require('./commands/canary/canary-command') as typeof CanaryFile).canaryCommand,
  },
  rules: {
    does: 'print recording and alerting rules for Prometheus',
    load: () => (module.require('./commands/rules/rules-command') as typeof RulesFile).rulesCommand,
  },
  dashboards: {
    does: 'print Grafana dashboards',
    load: () => (module.require('./commands/dashboards/dashboards-command') as typeof DashboardsFile).dashboardsCommand,
  },
  quota: {
    does: 'propose, review and forecast project quotas',
    load: () => (module.require('./commands/quota/quota-command') as typeof QuotaFile).quotaCommand,
  },
  submission: {
    does: 'print the manifests of the submission service',
    load: () => (module.require('./commands/submission/submission-command') as typeof SubmissionFile).submissionCommand,
  },
  publish: {
    does: 'sign the workloads of a workflow and publish them as a version',
    load: () => (module.require('./commands/publish/publish-command') as typeof PublishFile).publishCommand,
  },
  artifact: {
    does: 'show, verify and prune published artifacts',
    load: () => (module.require('./commands/artifact/artifact-command') as typeof ArtifactFile).artifactCommand,
  },
  deploy: {
    does: 'deploy a published version to a stage',
    load: () => (module.require('./commands/deploy/deploy-command') as typeof DeployFile).deployCommand,
  },
  status: {
    does: 'show projects, workloads and deployments, and why some are not Ready',
    load: () => (module.require('./commands/status/status-command') as typeof StatusFile).statusCommand,
  },
  diff: {
    does: 'preview the changes of a deployment',
    load: () => (module.require('./commands/diff/diff-command') as typeof DiffFile).diffCommand,
  },
  rollback: {
    does: 'deploy the previous Ready version of a stage',
    load: () => (module.require('./commands/rollback/rollback-command') as typeof RollbackFile).rollbackCommand,
  },
  history: {
    does: 'list past deployments',
    load: () => (module.require('./commands/history/history-command') as typeof HistoryFile).historyCommand,
  },
  versions: {
    does: 'list published versions',
    load: () => (module.require('./commands/versions/versions-command') as typeof VersionsFile).versionsCommand,
  },
  approve: {
    does: 'approve a published version for a stage',
    load: () => (module.require('./commands/approve/approve-command') as typeof ApproveFile).approveCommand,
  },
  cancel: {
    does: 'cancel a queued deployment',
    load: () => (module.require('./commands/cancel/cancel-command') as typeof CancelFile).cancelCommand,
  },
  completion: {
    does: 'print the completion script of a shell',
    load: () =>
      (module.require('./commands/completion/completion-command') as typeof CompletionFile).completionCommandOf(verbs),
  },
};

const help = `pinion: say what a workload is; the platform says what that means on a cluster.

Usage: pinion <command> [options] [files, folders or -]

${Object.entries(verbs)
  .map(([name, { does }]) => `  ${name.padEnd(12)}${does}`)
  .join('\n')}

  pinion <command> --help   options of a command
  pinion --version       version of pinion

${exitCodesHelp}.
`;

/** Runs a command line, without the program's own name, and says how the process should end; throws nothing. */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (error instanceof OutputClosed) return exitCodes.unavailable;
    if (error instanceof UsageError) {
      const name = argv[0] !== undefined && Object.hasOwn(verbs, argv[0]) ? `${argv[0]} ` : '';
      io.writeError(`pinion: ${error.message}\nTry "pinion ${name}--help".\n`);
      return exitCodes.usage;
    }
    if (error instanceof UnavailableError) {
      io.writeError(`pinion: ${error.message}\n`);
      return exitCodes.unavailable;
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.writeError(`pinion: internal error; please report it with this output\n${text}\n`);
    return exitCodes.internalError;
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  const [first, ...rest] = argv;
  if (first === undefined) {
    io.writeError(help);
    return exitCodes.usage;
  }
  if (first === '--help' || first === '-h' || (first === 'help' && rest.length === 0)) return print(help, io);
  if (first === '--version' || first === '-V') return print(`${ownVersion()}\n`, io);
  if (first === 'help') return print(verbCalled(rest[0] as string).help, io);
  const verb = verbCalled(first);
  const given = parseArguments(rest, { ...verb.options, help: { type: 'boolean', short: 'h' } });
  return given.flags['help'] ? print(verb.help, io) : verb.run(given, io);
}

function verbCalled(name: string): Command {
  const entry = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (entry) return entry.load();
  if (name.startsWith('-'))
    throw new UsageError(`the command comes first, before ${name}: ${Object.keys(verbs).join(', ')}`);
  const guess = nearest(name, Object.keys(verbs));
  throw new UsageError(
    `unknown command ${name}; ${guess ? `did you mean ${guess}?` : `use ${Object.keys(verbs).join(', ')}`}`,
  );
}

async function print(text: string, io: Io): Promise<ExitCode> {
  await io.write(text);
  return exitCodes.success;
}
