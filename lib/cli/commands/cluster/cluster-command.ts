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
          description: `Replace control plane nodes one at a time, each only while all others are healthy. In pools, new machines are added first, then old ones are drained within their disruption budgets. The command shows what it will replace and why, stops if the cluster is unhealthy, and continues if you run it again.`,
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
