import { UsageError } from './arguments';
import { clusterHelp } from './cluster-connection';
import { quotaOptions } from './quota-options';
import { proposeQuotas } from './quota-propose';
import { reviewQuotas } from './quota-review';
import { verb } from './verb';

const help = `pinion quota propose [options] INPUT...
pinion quota review  [options] OLD NEW

  propose INPUT...  the quota of each Project among the inputs from its history: peak x 1.2, each value with its reason;
                    workloads among the inputs count with all that they ask for at their largest
  review OLD NEW    what changes between two files or folders of Projects: head-room, the cluster's capacity, cost

History of propose and review:
  --usage FILE      daily peaks: {usage: [{project, days: [{day, peaks}]}]}

propose:
  --factor NUMBER   head-room over the peak (default: 1.2)
  --keep DAY,DAY    days that count although they look like accidents
  --lower           let values that a Project has become less
  --in-place        edit the files of the inputs, comments kept; all of them or none
  --file FILE       where to write the Projects (default: standard output)

review:
  --nodes FILE      nodes, as "kubectl get nodes -o json" prints them
  --prices FILE     what resources cost: {currency, per, prices: [{resource, each, price}]}
  --overcommit N    refuse quotas that are together more than N times what the nodes hold

  --platform FILE   documents of the cluster
                    (default: those among the inputs, else the nearest pinion.platform.yaml, else built-in)
${clusterHelp}
  -o, --output      text or json
`;

/** `pinion quota`: quotas from history, proposed, reviewed and watched. */
export const quota = verb({
  help,
  options: quotaOptions,
  async run(given, io) {
    const [word, ...rest] = given.words;
    if (word === 'propose') return proposeQuotas(rest, given, io);
    if (word === 'review') return reviewQuotas(rest, given, io);
    throw new UsageError(`quota needs a word: propose or review${word === undefined ? '' : `, not ${word}`}`);
  },
});
