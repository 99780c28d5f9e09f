import { newestRolloutsFirst, type StoredRollout } from '../../../expand';
import { type LiveObject } from '../../../kube';
import { withConnection, type ClusterConnection, type KubeconfigOptions } from '../../cluster/cluster-connection';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UsageError } from '../../command/usage-error';
import { type Io } from '../../io/io';
import { readRollouts, reasonForNone, selectRollout } from './read-rollouts';
import { reportRolloutErrors } from './report-rollout-errors';
import { rolloutResult } from './rollout-result';
import { rolloutsTable, rolloutText } from './rollout-text';
import { rolloutView } from './rollout-view';
import { watchRollout } from './watch-rollout';

interface StatusOptions extends KubeconfigOptions {
  readonly all: boolean;
  readonly watch: boolean;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly output: string;
}

/** `pinion rollout status`. */
export function printRolloutStatus(name: string | undefined, options: StatusOptions, io: Io): Promise<ExitCode> {
  if (name !== undefined && options.all) throw new UsageError('NAME cannot be combined with --all');
  return reportRolloutErrors(io, () =>
    withConnection(options, io, (connection) =>
      options.all ? printAll(options, connection, io) : printOne(name, options, connection, io),
    ),
  );
}

async function printOne(
  name: string | undefined,
  { watch, timeout, output }: StatusOptions,
  connection: ClusterConnection,
  io: Io,
): Promise<ExitCode> {
  const selected = await selectRollout(name, connection, 'last');
  const { rollout, rollouts, code } = watch
    ? await watchRollout(selected.metadata.name, timeout, connection, io)
    : await withResult(selected, connection);
  const now = connection.clock.now();
  const view = rolloutView(rollout, rollouts, await readProjects(rollout, connection), now);
  await io.write(output === 'json' ? `${JSON.stringify(view, null, 2)}\n` : rolloutText(view, now));
  return code;
}

async function withResult(rollout: StoredRollout, connection: ClusterConnection) {
  const rollouts = await readRollouts(connection);
  return { rollout, rollouts, code: rolloutResult(rollout, rollouts) };
}

async function printAll({ output }: StatusOptions, connection: ClusterConnection, io: Io): Promise<ExitCode> {
  const rollouts = await readRollouts(connection);
  const now = connection.clock.now();
  const views = newestRolloutsFirst(rollouts).map((rollout) => rolloutView(rollout, rollouts, [], now));
  if (output === 'json') await io.write(`${JSON.stringify(views, null, 2)}\n`);
  else await io.write(views.length > 0 ? rolloutsTable(views, now) : `${await reasonForNone(connection)}\n`);
  return exitCodes.success;
}

/** Reads Projects for the teams of the workloads that are listed; none if they may not be read. */
async function readProjects(
  { status }: StoredRollout,
  { client, kube }: ClusterConnection,
): Promise<readonly LiveObject[]> {
  const { transit = [], failed = [], blocked = [] } = status ?? {};
  if (transit.length + failed.length + blocked.length === 0) return [];
  try {
    return await kube.listAllPages(client, 'Project');
  } catch (error) {
    if (!kube.isApiError(error, 403)) throw error;
    return [];
  }
}
