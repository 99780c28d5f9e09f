import { defineCommand, type CommandGroup } from '../../command/command';
import { inputArgument } from '../../input/input-options';
import { printMonitorManifests } from './manifests';
import { proposeQuotas } from './propose';
import { proposeOptions, quotaManifestOptions, quotaStatusOptions, reviewOptions } from './quota-options';
import { quotaStatus } from './quota-status';
import { reviewQuotas } from './review';

const projectsArgument = {
  inputs: { ...inputArgument, required: true, description: `Projects: ${inputArgument.description}` },
} as const;

/** `pinion quota`. */
export const quotaCommand: CommandGroup = {
  subcommands: {
    propose: {
      summary: 'propose a quota for each Project from its usage history',
      load: () =>
        defineCommand({
          description: `The proposed quota is the peak usage multiplied by --factor; the reason for each value is printed. Workloads in the inputs are counted at their maximum possible requests.`,
          arguments: projectsArgument,
          options: proposeOptions,
          examples: [{ command: 'pinion quota propose projects --live --in-place' }],
          run: ({ args, options }, io) => proposeQuotas(args.inputs, options, io),
        }),
    },
    review: {
      summary: 'show how a quota change affects headroom, cluster capacity and cost',
      load: () =>
        defineCommand({
          arguments: {
            before: { valueName: 'OLD', required: true, description: 'file or folder of the current Projects' },
            after: { valueName: 'NEW', required: true, description: 'file or folder of the changed Projects' },
          },
          options: reviewOptions,
          exitCodes: { failure: 'a quota is rejected' },
          run: ({ args, options }, io) => reviewQuotas(args.before, args.after, options, io),
        }),
    },
    status: {
      summary: 'show 7-day usage, alert level and exhaustion date per Project',
      load: () =>
        defineCommand({
          arguments: projectsArgument,
          options: quotaStatusOptions,
          run: ({ args, options }, io) => quotaStatus(args.inputs, options, io),
        }),
    },
    manifests: {
      summary: 'print the manifests of the quota monitor',
      load: () =>
        defineCommand({
          description:
            'This command does not connect to a cluster. "pinion rules" prints the alerts for the quota monitor.',
          options: quotaManifestOptions,
          run: ({ options }, io) => printMonitorManifests(options, io),
        }),
    },
  },
};
