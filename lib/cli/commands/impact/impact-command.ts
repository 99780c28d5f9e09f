import { defineCommand, type CommandGroup } from '../../command/command';
import { impactOptions } from './impact-options';
import { reportImpact } from './report-impact';
import { snapshotCommand } from './snapshot-command';

/** `pinion impact`. */
export const impactCommand: CommandGroup = {
  description: `A change of the Platform, of a RuntimeProfile or of a Project can restart the pods of many workloads. These subcommands show which, and why, before the change is applied. Nothing is changed.`,
  subcommands: {
    snapshot: {
      summary: 'write what an impact needs to know of a cluster to standard output',
      load: () => snapshotCommand,
    },
    report: {
      summary: 'show which pods a change of the platform restarts, and because of which field',
      load: () =>
        defineCommand({
          description: `Compares two files or folders (BEFORE AFTER), the inputs at a git revision with another revision or the work tree (--from), or clusters with the same clusters once the inputs are applied (--snapshot, --live and --context). With a cluster, each workload is judged from the runtime profile or the revision of the Platform that it has, and the surge from the quota in use. Each side is expanded by this version of pinion, so the report is an estimate: it knows no mutating webhooks, and no change that only another version makes.

The report lists the workloads whose pods restart, with the fields that cause it, those that wait for their next deployment, run or pod, those that change without a restart, those that the change rejects, and those of which nothing is known. If the Platform has rollouts, it has the wave of each workload and a range of the duration. With a cluster, it has the verdict of pinion crds check on the definitions of this version, or on those among the inputs. It counts the writes of the controller and the surge of all rollouts, which it compares with quotas and the free capacity of nodes, and ends with the digest of the rollout, which a Platform can require to be approved.`,
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
            { command: 'pinion impact report --context production-1 --context production-2 platform.yaml' },
            { command: 'pinion impact report before after -o json' },
          ],
          exitCodes: {
            success: 'no pods restart',
            usage: 'usage error, or a manifest has errors',
            unavailable: 'an input cannot be read',
            restarts: 'pods restart: at once, in a rollout, or after the deadline of a profile',
            blocked:
              'the change rejects workloads, whose objects stay as they are, edits a profile, or has definitions that break objects, writes or clients; pods may restart, too',
            unknown:
              'a cluster or a part of it is unknown, or whether a change of a definition is safe; pods may restart or be blocked, too',
          },
          run: ({ args, options }, io) => reportImpact(args.inputs, options, io),
        }),
    },
  },
};
