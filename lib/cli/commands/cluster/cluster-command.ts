import { defineCommand, type CommandGroup } from '../../command/command';
import { roll } from './roll';
import { rollOptions } from './roll-options';

/** `pinion cluster`. */
export const clusterCommand: CommandGroup = {
  subcommands: {
    roll: {
      summary: 'replace machines whose launch template changed',
      load: () =>
        defineCommand({
          description: `Replaces control plane nodes one at a time, each only while all others are healthy. In pools, it first adds new machines, then drains old ones within their disruption budgets. Shows what it will replace and why, stops when the cluster is unhealthy, and continues when it is run again.`,
          arguments: {
            cluster: { valueName: 'CLUSTER', required: true, description: 'value of the tag pinion/cluster' },
          },
          options: rollOptions,
          examples: [{ command: 'pinion cluster roll prod --dry-run' }],
          exitCodes: { incomplete: 'the roll stopped; run it again to continue' },
          run: ({ args, options }, io) => roll(args.cluster, options, io),
        }),
    },
  },
};
