import { asDefinition, type CustomResourceDefinition } from '../../../definitions';
import { withConnection, type ClusterConnection } from '../../cluster/cluster-connection';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UsageError } from '../../command/usage-error';
import { confirmOrRefuse } from '../../io/confirm-or-refuse';
import { type Io } from '../../io/io';
import { clusterDefinitions, definitionsPath, listPath } from './cluster-definitions';
import { type MigrationOptions } from './migration-options';
import { migrateStorage, plannedMigration, type StorageMigration, type PlannedMigration } from './storage-migration';

/** Shows what is to be migrated, asks for confirmation, and migrates it. */
export const migrateDefinitions = (names: readonly string[], options: MigrationOptions, io: Io): Promise<ExitCode> =>
  withConnection(options, io, async (connection) => {
    const definitions = await selectDefinitions(names, connection);
    const plans = definitions.flatMap((definition) => plannedMigration(definition) ?? []);
    const isJson = options.output === 'json';
    const isDone = plans.length === 0;
    if (isDone || options['dry-run'] || !isJson)
      await io.write(isJson ? `${JSON.stringify({ plans }, null, 2)}\n` : planText(plans, definitions.length));
    if (options['dry-run'] || isDone) return exitCodes.success;
    if (!options.yes && !(await confirmOrRefuse(io))) return exitCodes.success;
    const results: StorageMigration[] = [];
    for (const plan of plans) {
      const result = await migrateStorage(plan, connection);
      results.push(result);
      if (!isJson) await io.write(resultText(result));
    }
    if (isJson) await io.write(`${JSON.stringify({ migrations: results }, null, 2)}\n`);
    if (results.some(({ failed }) => failed.length > 0)) return exitCodes.failure;
    return results.every(({ isTrimmed }) => isTrimmed) ? exitCodes.success : exitCodes.incomplete;
  });

async function selectDefinitions(names: readonly string[], connection: ClusterConnection): Promise<CustomResourceDefinition[]> {
  if (names.length === 0) {
    const all: CustomResourceDefinition[] = [];
    for await (const object of listPath(definitionsPath, connection)) {
      // Items of a list have no kind.
      const definition = asDefinition({ ...object, apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' });
      if (definition) all.push(definition);
    }
    return all;
  }
  const found = await clusterDefinitions(names, connection);
  const missing = names.filter((name) => !found.some(({ metadata }) => metadata.name === name));
  if (missing.length > 0)
    throw new UsageError(`the cluster has no definition ${missing.join(', ')}; write names as kubectl get crd lists them`);
  return found;
}

const planText = (plans: readonly PlannedMigration[], total: number): string =>
  plans.length === 0
    ? `nothing to migrate: ${total} ${total === 1 ? 'definition stores' : 'definitions store'} all objects in the storage version\n`
    : plans.map(({ definition, storage, stored }) => `${definition}: objects may be stored as ${stored.join(', ')}; write all of them as ${storage}\n`).join('');

function resultText({ definition, storage, objects, rewritten, failed, isTrimmed, reason }: StorageMigration): string {
  const lines = failed.map((text) => `  ${text}\n`).join('');
  const end = isTrimmed ? `status.storedVersions is ${storage}` : `status.storedVersions is unchanged: ${reason}`;
  return `${definition}: ${objects} objects, ${rewritten} rewritten; ${end}\n${lines}`;
}
