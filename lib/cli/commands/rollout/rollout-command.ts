import { clusterOptions } from '../../cluster/cluster-connection';
import { defineCommand, type Command, type CommandGroup } from '../../command/command';
import { textOutput, yesOption } from '../../command/output-options';
import { UsageError } from '../../command/usage-error';
import { approveRollout } from './approve-rollout';
import { changeRollout, type RolloutChange } from './change-rollout';
import { printRolloutStatus } from './print-rollout-status';
import {
  abortChange,
  emergencyChange,
  emergencyEndChange,
  pauseChange,
  resumeChange,
  rollbackChange,
} from './rollout-changes';

const openArgument = { valueName: 'NAME', description: 'rollout (default: the one in progress)' } as const;
const lastArgument = {
  valueName: 'NAME',
  description: 'rollout (default: the one in progress, else the last one)',
} as const;
const refused =
  'there is no such rollout, its phase does not allow it, or you may not change it; the reason is printed';
const declined = 'the change was declined';

const plainCommand = (change: RolloutChange, description: string): Command =>
  defineCommand({
    description,
    arguments: { name: openArgument },
    options: { ...clusterOptions, output: textOutput },
    exitCodes: { failure: refused },
    run: ({ args, options }, io) => changeRollout(args.name, change, options, io),
  });

const confirmedCommand = (change: RolloutChange, description: string): Command =>
  defineCommand({
    description,
    arguments: { name: change.applies === 'open' ? openArgument : lastArgument },
    options: { yes: yesOption, ...clusterOptions, output: textOutput },
    exitCodes: { failure: refused, incomplete: declined },
    run: ({ args, options }, io) => changeRollout(args.name, change, options, io),
  });

const statusCommandOfRollout = (): Command =>
  defineCommand({
    description: `Show the waves of a rollout, workloads in transit with their teams, those that failed or are blocked, why it is in its phase, and the next step.

With --watch, print each change until the rollout no longer continues by itself. A failed rollout that is rolled back automatically continues until that is done.`,
    arguments: { name: lastArgument },
    options: {
      all: { type: 'flag', description: 'show a table of all rollouts', conflictsWith: ['watch'] },
      watch: { type: 'flag', short: 'w', description: 'wait until it has ended or is paused' },
      timeout: {
        type: 'duration',
        description: 'time to wait; the rollout continues after the timeout',
        defaultText: 'no limit',
        max: '576h',
        requires: 'watch',
      },
      ...clusterOptions,
      output: textOutput,
    },
    exitCodes: {
      success: 'it has completed; with --all, always',
      failure: 'there is no rollout; the reason is printed',
      incomplete: 'it is pending or in progress, or the wait timed out',
      rolloutFailed: 'it failed',
      rolloutAborted: 'it was aborted',
      rolloutRolledBack: 'it was rolled back',
      rolloutPaused: 'it is paused',
    },
    run: ({ args, options }, io) => printRolloutStatus(args.name, options, io),
  });

const approveCommand = (): Command =>
  defineCommand({
    description: `If spec.rollouts.requireApproval of the Platform is true, a rollout releases workloads only once the digest of its impact is approved. "pinion impact report" prints the digest before the change is applied, and "pinion rollout status" the one that is required.

A digest that is not that of the rollout is refused. It takes a group of spec.administrators or spec.breakGlass of the Platform.`,
    arguments: {
      digest: {
        valueName: 'DIGEST',
        description: 'digest of the rollout in the report that was approved',
        required: true,
      },
      name: openArgument,
    },
    options: {
      timeout: {
        type: 'duration',
        description: 'time to wait until the controller has created the rollout and computed its digest',
        defaultText: 'no wait',
        max: '24h',
      },
      ...clusterOptions,
      output: textOutput,
    },
    exitCodes: { failure: refused },
    run: ({ args, options }, io) => approveRollout(args, options, io),
  });

const emergencyCommand = (): Command =>
  defineCommand({
    description:
      'Soak times, freezes, the canary and a missing approval do not count during an emergency; budgets and disruption budgets do. It ends by itself, and with --end.',
    arguments: { name: openArgument },
    options: {
      reason: {
        type: 'string',
        valueName: 'TEXT',
        description: 'reason, which is in the events of the rollout and visible to all who read it',
        requiredUnless: 'end',
      },
      for: { type: 'duration', default: '1h', min: '1m', max: '24h', description: 'time until it ends' },
      end: { type: 'flag', description: 'end the emergency now', conflictsWith: ['reason', 'for'] },
      yes: yesOption,
      ...clusterOptions,
      output: textOutput,
    },
    exitCodes: { failure: refused, incomplete: declined },
    run({ args, options }, io) {
      const { reason = '', end } = options;
      if (!end && reason.trim() === '') throw new UsageError('--reason must not be empty');
      return changeRollout(args.name, end ? emergencyEndChange : emergencyChange(reason, options.for), options, io);
    },
  });

/** `pinion rollout`. */
export const rolloutCommand: CommandGroup = {
  description: `Show and control how a change of the Platform moves workloads to its revision in waves. All commands act on one cluster.`,
  subcommands: {
    status: { summary: 'show how far a rollout has come, why it stopped and what to do', load: statusCommandOfRollout },
    approve: { summary: 'approve the impact of a rollout, so that it releases workloads', load: approveCommand },
    pause: {
      summary: 'release no more workloads until it is resumed',
      load: () =>
        plainCommand(
          pauseChange,
          'Workloads that were released become ready; soak times continue. Resume it with "pinion rollout resume".',
        ),
    },
    resume: {
      summary: 'continue a rollout that was paused by command',
      load: () =>
        plainCommand(
          resumeChange,
          'A rollout that the controller has paused continues by itself once the reason is gone.',
        ),
    },
    abort: {
      summary: 'release no more workloads for good',
      load: () =>
        confirmedCommand(
          abortChange,
          'Workloads that were released keep the revision. Roll it back, or delete the PlatformRollout, so that the controller creates another one for the revision of the Platform.',
        ),
    },
    rollback: {
      summary: 'return the workloads that a rollout moved to their former revisions',
      load: () =>
        confirmedCommand(
          rollbackChange,
          'It stops, and the controller creates another rollout that moves workloads back, the newest wave first, without soak and canary and within the budgets.',
        ),
    },
    emergency: {
      summary: 'continue without soak times, freezes, the canary and an approval for a while',
      load: emergencyCommand,
    },
  },
};
