import { defineCommand, type CommandGroup } from '../../command/command';
import { impactOptions } from './impact-options';
import { reportImpact } from './report-impact';

/** `pinion impact`. */
export const impactCommand: CommandGroup = {
  description: `A change of the Platform, of a RuntimeProfile or of a Project can restart the pods of many workloads. These subcommands show which, and why, before the change is applied. Nothing is changed.`,
  subcommands: {
    report: {
      summary: 'show which pods a change of the platform restarts, and because of which field',
      load: () =>
        defineCommand({
          description: `Compares two files or folders (BEFORE AFTER), or the inputs at a git revision with another revision or the work tree (--from). Each side is expanded by this version of pinion, so the report is an estimate: it knows no mutating webhooks, and no change that only another version makes.

The report lists the workloads whose pods restart, with the fields that cause it, those that wait for their next deployment, run or pod, those that change without a restart, those that the change rejects, and those of which nothing is known. It counts the writes of the controller and the surge of all rollouts, and ends with a digest of the inputs.`,
          arguments: {
            inputs: {
              valueName: 'INPUT',
              description: 'files and folders (all *.yaml, *.yml and *.json files in them)',
              repeatable: true,
            },
          },
          options: impactOptions,
          examples: [
            { command: 'pinion impact report --from origin/main clusters/production' },
            { command: 'pinion impact report before after -o json' },
          ],
          exitCodes: {
            success: 'no pods restart',
            usage: 'usage error, or a manifest has errors',
            unavailable: 'an input cannot be read',
            restarts: 'pods restart, at once or after the deadline of the rollout',
            blocked: 'the change rejects workloads, whose objects stay as they are; pods may restart, too',
            unknown: 'the report does not know of everything; pods may restart or be blocked, too',
          },
          run: ({ args, options }, io) => reportImpact(args.inputs, options, io),
        }),
    },
  },
};
