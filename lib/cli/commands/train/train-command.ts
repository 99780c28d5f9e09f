import { defineCommand, type CommandGroup } from '../../command/command';
import { yesOption, textOutput } from '../../command/output-options';
import { clusterOptions } from '../../cluster/cluster-connection';
import { printTrainStatus } from './print-train-status';
import { runTrainCommand } from './run';

const trainArgument = {
  valueName: 'FILE',
  required: true,
  description: 'train in YAML or JSON: the clusters in their order, with the manifests of each',
} as const;

/** `pinion train`. */
export const trainCommand: CommandGroup = {
  description: `Move a change from cluster to cluster: the next one is touched when the one before has settled, its canary has tested the change, and it has stayed well for its soak time. Each cluster records what it has, so that any machine continues.`,
  subcommands: {
    run: {
      summary: 'move the change on, until all clusters have it or one stops it',
      load: () =>
        defineCommand({
          description:
            'All manifests are read first. Manifests of a cluster are applied only if the API server accepts all of them. A field that another field manager has set to another value stops the train, unless --force-conflicts is set.',
          arguments: { file: trainArgument },
          options: {
            kubeconfig: clusterOptions.kubeconfig,
            'force-conflicts': { type: 'flag', description: 'take over fields that other field managers have set' },
            back: {
              type: 'flag',
              description:
                'take a change back with the former manifests: the last cluster first, without canary and soak',
            },
            'dry-run': { type: 'flag', description: 'only ask each API server whether it accepts the manifests' },
            yes: yesOption,
          },
          exitCodes: {
            failure: 'the train has errors, or --dry-run found that an API server rejects a change',
            incomplete: 'a cluster stopped the train, or the change was declined; the reason is printed',
          },
          run: ({ args, options }, io) => runTrainCommand(args.file, options, io),
        }),
    },
    status: {
      summary: 'show how far the change has come',
      load: () =>
        defineCommand({
          arguments: { file: trainArgument },
          options: { kubeconfig: clusterOptions.kubeconfig, output: textOutput },
          exitCodes: {
            success: 'all clusters have the change',
            incomplete: 'some clusters do not have it yet',
            unavailable: 'a cluster is unreachable',
          },
          run: ({ args, options }, io) => printTrainStatus(args.file, options, io),
        }),
    },
  },
};
