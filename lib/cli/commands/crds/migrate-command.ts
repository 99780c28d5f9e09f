import { defineCommand } from '../../command/command';
import type * as MigrateFile from './migrate-definitions';
import { migrationOptions } from './migration-options';

/** `pinion crds migrate`. */
export const migrateDefinitionsCommand = defineCommand({
  description: `Store all objects of definitions in their storage version, so that a former version can be removed. Each object is written without a change, with its version as precondition; a second write verifies that it is stored in the storage version. Then status.storedVersions of the definition is reduced to the storage version, unless an object was not written or the definition has changed. The command shows its plan and asks for confirmation. If it is stopped, run it again.

It needs permission to get, list and update the objects, and to update customresourcedefinitions/status.`,
  arguments: {
    names: {
      valueName: 'DEFINITION',
      description: 'names of definitions, such as topics.example.com (default: all with objects in a former version)',
      repeatable: true,
    },
  },
  options: migrationOptions,
  examples: [{ command: 'pinion crds migrate --dry-run' }, { command: 'pinion crds migrate topics.example.com --yes' }],
  exitCodes: {
    success: 'all objects are stored in the storage version, or nothing was to do',
    failure: 'the API server rejects an object; it is listed, and the former versions stay',
    incomplete: 'objects or the definition changed meanwhile; run it again',
  },
  run: ({ args: { names }, options }, io) =>
    (module.require('./migrate-definitions') as typeof MigrateFile).migrateDefinitions(names, options, io),
});
