import { defineCommand, type CommandGroup } from '../../command/command';
import { canaryGateOptions, canaryManifestOptions, canaryRunOptions } from './canary-options';
import { runCanaryGate } from './gate';
import { printCanaryManifests } from './manifests';
import { runCanaryCommand } from './run';

/** `pinion canary`. */
export const canaryCommand: CommandGroup = {
  description: `Deploy a small workload of each kind through each deployment path, verify it, change it, roll it back and delete it. A failure names the part of the platform that is broken.`,
  subcommands: {
    run: {
      summary: 'run the canary now, with your permissions',
      load: () =>
        defineCommand({
          description: `The command waits for a canary that is already running, and cleans up after one that was killed.

The deployment path "submission" needs the credentials of the canary in the cluster, so it is skipped here, as is everything that is not installed.`,
          options: canaryRunOptions,
          exitCodes: { failure: 'a step failed', incomplete: 'the run was stopped or lost its lease' },
          run: ({ options }, io) => runCanaryCommand(options, io),
        }),
    },
    gate: {
      summary: 'check whether the last runs passed and are recent',
      load: () =>
        defineCommand({
          options: canaryGateOptions,
          exitCodes: { success: 'the gate is open', incomplete: 'the gate is closed; the reasons are printed' },
          run: ({ options }, io) => runCanaryGate(options, io),
        }),
    },
    manifests: {
      summary: 'print the manifests that run the canary in a cluster',
      load: () =>
        defineCommand({
          description:
            'Print the manifests in the order in which to apply them. This command does not connect to a cluster.',
          options: canaryManifestOptions,
          run: ({ options }, io) => printCanaryManifests(options, io),
        }),
    },
  },
};
