import { UsageError } from '../../command/arguments';
import { clusterHelp } from '../../cluster/cluster-connection';
import { roll } from './roll';
import { rollOptions } from './roll-options';
import { defineCommand } from '../../command/command';

const help = `pinion cluster roll [options] CLUSTER

Replaces the machines of a cluster whose launch template says something else now: masters one at a time, each only while all
others are healthy; pools by new machines first, then drains that respect disruption budgets. Says before what it will replace
and why, stops on ill health, and goes on where it stopped when it is run again.

  --dry-run          says what would be replaced, and touches nothing
  --yes              does not ask; where nobody can be asked, it is needed
  --only UNITS       these only: control-plane-a, or names of pools, with commas between them
  --surge N          machines of a pool that are replaced at once: a number or a percentage (default: 10%)
  --in-place         a pool without room for new machines gives up old ones first
  --accept-outage    replaces a master though too few are left meanwhile
  --canary PROJECT   project of the canary that is asked, which has to be there where it is named (default: pinion-canary)
  --ignore-canary    goes on whatever the canary says; without it no unit begins while the last run failed or is old
  --evict KINDS      evicts what is otherwise waited for: jobs, bare, asked, with commas between them
  --job-timeout T   how long pods of Jobs are waited for, such as 6h (default: 24h)
  --pod-timeout T   how long other pods may take to go (default: 1h)
  --timeout T       how long a new machine may take to be of use (default: 20m)
  --kubernetes V     the version that the new images hold, where templates do not say it
  --region REGION    AWS region (default: AWS_REGION)
${clusterHelp}
  -o, --output       with --dry-run: text or json
`;

/** `pinion cluster`: changes the machines of a cluster. */
export const clusterCommand = defineCommand({
  help,
  options: rollOptions,
  subcommands: ['roll'],
  async run({ positionals: [word, ...names], ...given }, io) {
    if (word !== 'roll') throw new UsageError(`cluster needs a word: roll${word === undefined ? '' : `, not ${word}`}`);
    const [name, ...more] = names;
    if (name === undefined || more.length > 0) throw new UsageError('cluster roll needs the name of one cluster');
    return roll(name, { positionals: names, ...given }, io);
  },
});
