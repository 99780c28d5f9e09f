import { defineCommand } from '../../command/command';
import type * as CheckFile from './check-definitions';
import { definitionCheckOptions } from './check-options';

/** `pinion crds check`. */
export const checkDefinitionsCommand = defineCommand({
  description: `Judge a new version of CustomResourceDefinitions before it is installed: whether the API server refuses it, stored objects lose fields, later writes are rejected, clients fail, or objects change their meaning. Any definitions can be compared, not only those of pinion. Without NEW, OLD is compared with this version of pinion, which is the new one. The first line of the report says what is old and new. Nothing is changed.

With stored objects (--objects or --live), each is read and written by both versions: a read, a write without a change, scaling, a write of the status, and a change of each field. A change that breaks none of them is only a warning. What pinion cannot judge is listed as unknown and never counts as safe.

Removing a field deletes its stored values. If that is intended, acknowledge each field with --allow-pruning, for all definitions or for one of them. A path that no removed field has is a usage error.`,
  arguments: {
    paths: {
      valueName: 'PATH',
      usage: 'OLD [NEW]',
      description:
        'files or folders with definitions; with --from those of both revisions (PATH...), with --live only new ones ([NEW...])',
      repeatable: true,
    },
  },
  options: definitionCheckOptions,
  examples: [
    { command: 'pinion crds check crds-0.2.0.yaml' },
    { command: 'pinion crds check --from origin/main crds' },
    { command: 'pinion crds check old.yaml new.yaml --objects backup.json --allow-pruning spec.legacy' },
    { command: 'pinion crds check --live' },
  ],
  exitCodes: {
    success: 'safe',
    failure: 'the API server refuses it, or objects, writes or clients break',
    usage: 'usage error, or a file has errors',
    warnings: 'nothing is known to break, but the meaning changes or something is unknown',
  },
  run: ({ args: { paths }, options }, io) =>
    (module.require('./check-definitions') as typeof CheckFile).checkDefinitions(paths, options, io),
});
