import { nearest } from '../api';
import { parseArguments, UsageError } from './arguments';
import type * as ApproveFile from './approve';
import type * as ArtifactFile from './artifact';
import type * as CanaryFile from './canary';
import type * as CancelFile from './cancel';
import type * as CapacityFile from './capacity';
import type * as CheckFile from './check';
import type * as ClusterFile from './cluster';
import type * as CompletionFile from './completion';
import type * as CrdsFile from './crds';
import type * as DashboardsFile from './dashboards';
import type * as DeployFile from './deploy';
import type * as DiffFile from './diff';
import type * as EtcdFile from './etcd';
import { exitCodes, type ExitCode } from './exit-codes';
import type * as ExplainFile from './explain';
import type * as HistoryFile from './history';
import type * as ImportFile from './import';
import type * as InstallFile from './install';
import { Inaccessible, OutputClosed, type Io } from './io';
import type * as LoadFile from './load';
import type * as NodesFile from './nodes';
import { ownVersion } from './own-version';
import type * as PlatformFile from './platform';
import type * as ProfileFile from './profile';
import type * as PublishFile from './publish';
import type * as QuotaFile from './quota';
import type * as RenderFile from './render';
import type * as RollbackFile from './rollback';
import type * as StatusFile from './status';
import type * as SubmissionFile from './submission';
import { type Verb, type VerbTable } from './verb';
import type * as VersionsFile from './versions';
import type * as RulesFile from './rules';

/** Each verb is loaded when it is called: a cold start pays for one. */
const verbs: VerbTable = {
  check: {
    does: 'says everything that is wrong with documents',
    load: () => (module.require('./check') as typeof CheckFile).check,
  },
  render: {
    does: 'writes the native objects that workloads become',
    load: () => (module.require('./render') as typeof RenderFile).render,
  },
  explain: {
    does: 'says where every generated field comes from',
    load: () => (module.require('./explain') as typeof ExplainFile).explain,
  },
  crds: {
    does: 'prints the CustomResourceDefinitions',
    load: () => (module.require('./crds') as typeof CrdsFile).crds,
  },
  install: {
    does: 'prints the objects that install pinion in a cluster',
    load: () => (module.require('./install') as typeof InstallFile).install,
  },
  platform: {
    does: "writes the cluster's Platform and Projects to pinion.platform.yaml",
    load: () => (module.require('./platform') as typeof PlatformFile).platform,
  },
  import: {
    does: 'writes the custom resource for an existing native workload',
    load: () => (module.require('./import') as typeof ImportFile).importVerb,
  },
  nodes: {
    does: 'says who runs on each machine, and what would block draining it',
    load: () => (module.require('./nodes') as typeof NodesFile).nodes,
  },
  capacity: {
    does: 'sizes masters, etcd, flags and node groups from the description of a load',
    load: () => (module.require('./capacity') as typeof CapacityFile).capacity,
  },
  etcd: {
    does: 'says what an etcd database holds, and recovers members that run out of space',
    load: () => (module.require('./etcd') as typeof EtcdFile).etcd,
  },
  profile: {
    does: 'says what a program of the control plane does with its time and memory',
    load: () => (module.require('./profile') as typeof ProfileFile).profile,
  },
  load: {
    does: 'says who does what to the API server, by its audit log',
    load: () => (module.require('./load') as typeof LoadFile).load,
  },
  cluster: {
    does: 'replaces machines whose template changed: masters one at a time, nodes by surge and drain',
    load: () => (module.require('./cluster') as typeof ClusterFile).cluster,
  },
  canary: {
    does: 'deploys every kind through every door, and names the part of the platform that is broken',
    load: () => (module.require('./canary') as typeof CanaryFile).canary,
  },
  rules: {
    does: 'prints recording and alert rules for Prometheus',
    load: () => (module.require('./rules') as typeof RulesFile).rules,
  },
  dashboards: {
    does: 'prints dashboards for Grafana',
    load: () => (module.require('./dashboards') as typeof DashboardsFile).dashboards,
  },
  quota: {
    does: 'proposes quotas from the history of projects, and reviews changes of quotas',
    load: () => (module.require('./quota') as typeof QuotaFile).quota,
  },
  submission: {
    does: 'prints the objects that run the submission service in a cluster',
    load: () => (module.require('./submission') as typeof SubmissionFile).submission,
  },
  publish: {
    does: 'signs the workloads of a workflow and stores them under a version, to be deployed by it',
    load: () => (module.require('./publish') as typeof PublishFile).publish,
  },
  artifact: {
    does: 'shows, verifies and prunes what was published',
    load: () => (module.require('./artifact') as typeof ArtifactFile).artifact,
  },
  deploy: {
    does: 'deploys a published version to a stage, and follows it until it is Ready',
    load: () => (module.require('./deploy') as typeof DeployFile).deploy,
  },
  status: {
    does: 'says how projects, workloads and deployments are doing, and who can fix what is not Ready',
    load: () => (module.require('./status') as typeof StatusFile).status,
  },
  diff: {
    does: 'says what a deployment would change, and what it asks for',
    load: () => (module.require('./diff') as typeof DiffFile).diff,
  },
  rollback: {
    does: 'deploys again what was Ready in a stage before',
    load: () => (module.require('./rollback') as typeof RollbackFile).rollback,
  },
  history: {
    does: 'lists what was deployed, by whom, and how it ended',
    load: () => (module.require('./history') as typeof HistoryFile).history,
  },
  versions: {
    does: 'lists what was published and can be deployed',
    load: () => (module.require('./versions') as typeof VersionsFile).versions,
  },
  approve: {
    does: 'lets a published version into a stage that asks for approval',
    load: () => (module.require('./approve') as typeof ApproveFile).approve,
  },
  cancel: {
    does: 'cancels a deployment that is waiting for its turn',
    load: () => (module.require('./cancel') as typeof CancelFile).cancel,
  },
  completion: {
    does: 'prints what bash, zsh or fish needs to complete command lines',
    load: () => (module.require('./completion') as typeof CompletionFile).completionOf(verbs),
  },
};

const help = `pinion: say what a workload is; the platform says what that means on a cluster.

Usage: pinion <verb> [options] [files, folders or -]

${Object.entries(verbs)
  .map(([name, { does }]) => `  ${name.padEnd(12)}${does}`)
  .join('\n')}

  pinion <verb> --help   options of a verb
  pinion --version       version of pinion

Exit codes: ${exitCodes.fine} fine, ${exitCodes.problems} problems in the inputs, ${exitCodes.usage} wrong usage, ${exitCodes.inaccessible} cannot read or write, ${exitCodes.defect} a defect of pinion, ${exitCodes.halted} halted.
`;

/** Runs a command line, without the program's own name, and says how the process should end; throws nothing. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (error instanceof OutputClosed) return exitCodes.inaccessible;
    if (error instanceof UsageError) {
      const name = argv[0] !== undefined && Object.hasOwn(verbs, argv[0]) ? `${argv[0]} ` : '';
      io.tell(`pinion: ${error.message}\nTry "pinion ${name}--help".\n`);
      return exitCodes.usage;
    }
    if (error instanceof Inaccessible) {
      io.tell(`pinion: ${error.message}\n`);
      return exitCodes.inaccessible;
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.tell(`pinion: a defect of pinion itself; please report it with these lines\n${text}\n`);
    return exitCodes.defect;
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  const [first, ...rest] = argv;
  if (first === undefined) {
    io.tell(help);
    return exitCodes.usage;
  }
  if (first === '--help' || first === '-h' || (first === 'help' && rest.length === 0)) return print(help, io);
  if (first === '--version' || first === '-V') return print(`${ownVersion()}\n`, io);
  if (first === 'help') return print(verbCalled(rest[0] as string).help, io);
  const verb = verbCalled(first);
  const given = parseArguments(rest, { ...verb.options, help: { type: 'boolean', short: 'h' } });
  return given.flags['help'] ? print(verb.help, io) : verb.run(given, io);
}

function verbCalled(name: string): Verb {
  const entry = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (entry) return entry.load();
  if (name.startsWith('-'))
    throw new UsageError(`the verb comes first, before ${name}: ${Object.keys(verbs).join(', ')}`);
  const guess = nearest(name, Object.keys(verbs));
  throw new UsageError(
    `unknown verb ${name}; ${guess ? `did you mean ${guess}?` : `use ${Object.keys(verbs).join(', ')}`}`,
  );
}

async function print(text: string, io: Io): Promise<ExitCode> {
  await io.write(text);
  return exitCodes.fine;
}
