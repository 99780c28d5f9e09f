import { type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { clusterHelp } from '../../cluster/cluster-connection';
import { quotaOptions, type QuotaArguments } from './quota-options';
import { proposeQuotas } from './propose';
import { reviewQuotas } from './review';
import { quotaStatus } from './quota-status';
import { programHelp } from '../../input/program-variables';
import { printMonitorManifests } from './manifests';
import { defineCommand } from '../../command/command';
import { resolveSubcommand } from '../../command/resolve-subcommand';

const help = `pinion quota propose [options] INPUT...
pinion quota review  [options] OLD NEW
pinion quota status  [options] INPUT...
pinion quota manifests --image IMAGE

  propose INPUT...  a quota for each Project among the inputs, from its history: peak x 1.2, each value with its reason;
                    workloads among the inputs count with what they ask for at their largest
  review OLD NEW    what changes between two files or folders of Projects: headroom, the cluster's capacity, cost
  status INPUT...   how each Project stands: usage of seven days, level, the day on which its quota is full
  manifests         the manifests that run the quota monitor in a cluster; "pinion rules" has those by which Prometheus watches it

History for propose, review and status; several sources are combined:
  --usage FILE      daily peaks: {usage: [{project, days: [{day, peaks}]}]}
  --live            what the watcher in the cluster has kept, and what is used there now
  --prometheus URL  range queries over kube-state-metrics and cAdvisor
  --token-file FILE bearer token for it
  --days COUNT      how many days to query, up to yesterday (default: 90)

propose:
  --factor NUMBER   factor by which a quota exceeds the peak (default: 1.2)
  --keep DAY,DAY    days that count although they look like outliers
  --lower           allow existing values of a Project to be lowered
  --in-place        edit the input files and keep their comments; all of them or none
  --file FILE       where to write the Projects (default: standard output)

review:
  --nodes FILE      nodes, as "kubectl get nodes -o json" prints them
  --prices FILE     what resources cost: {currency, per, prices: [{resource, each, price}]}
  --overcommit N    refuse quotas that add up to more than N times what the nodes hold

manifests:
  --image IMAGE     its image, with its tag or digest
${programHelp}

  --platform FILE   documents of the cluster
                    (default: those among the inputs, else the nearest pinion.platform.yaml, else built-in)
${clusterHelp}
  -o, --output      text or json
`;

const common = ['platform', 'output'];
const history = ['usage', 'live', 'prometheus', 'token-file', 'days', 'kubeconfig', 'context'];
const needs = [
  { option: 'token-file', of: 'prometheus' },
  { option: 'days', of: 'prometheus' },
  { option: 'kubeconfig', of: 'live' },
  { option: 'context', of: 'live' },
];

interface Word {
  readonly takes: readonly string[];
  readonly run: (words: readonly string[], given: QuotaArguments, io: Io) => Promise<ExitCode>;
}

const words: Readonly<Record<string, Word>> = {
  propose: { takes: [...history, 'factor', 'keep', 'lower', 'in-place', 'file', ...common], run: proposeQuotas },
  review: { takes: [...history, 'nodes', 'prices', 'overcommit', ...common], run: reviewQuotas },
  status: { takes: [...history, ...common], run: quotaStatus },
  manifests: { takes: ['image', 'env', 'secret', 'output'], run: printMonitorManifests },
};

/** `pinion quota`: quotas from history, proposed, reviewed and watched. */
export const quotaCommand = defineCommand({
  help,
  options: quotaOptions,
  subcommands: Object.keys(words),
  run: (given, io) => resolveSubcommand('quota', words, given, needs).run(given.positionals.slice(1), given, io),
});
