import { isOpenRollout, rolloutPhaseOf, type StoredRollout } from '../../../expand';
import { withConnection, type ClusterConnection, type KubeconfigOptions } from '../../cluster/cluster-connection';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { confirmOrRefuse } from '../../io/confirm-or-refuse';
import { type Io } from '../../io/io';
import { asRollout, readRollout, readRollouts, RolloutError, selectRollout } from './read-rollouts';
import { reportRolloutErrors } from './report-rollout-errors';
import { rolloutView } from './rollout-view';
import { rolloutLine } from './rollout-text';

/** A change of a rollout. */
export interface RolloutChange {
  /** Past participle for the output, such as `paused`. */
  readonly done: string;
  /** Rollout that is changed without a name: only one in progress, or the last one as well. */
  readonly applies: 'open' | 'last';
  /** Consequence that is to be confirmed. @default - no confirmation */
  readonly consequence?: string;
  /** Returns why other rollouts do not permit the change; undefined if they do. @default - they do */
  readonly refusal?: (rollout: StoredRollout, others: readonly StoredRollout[]) => string | undefined;
  /** Returns the fields of spec to merge; undefined if there is nothing to change. Throws a `RolloutError` if the change is not possible. */
  patch(rollout: StoredRollout, now: number): Readonly<Record<string, unknown>> | undefined;
}

interface ChangeOptions extends KubeconfigOptions {
  readonly yes?: boolean;
  readonly output: string;
}

/** The controller writes the status meanwhile, so that a precondition fails now and then. */
const maxAttempts = 5;

/** Changes the spec of the rollout of a name, or of the one that the change applies to without one, and prints the result. */
export const changeRollout = (
  name: string | undefined,
  change: RolloutChange,
  options: ChangeOptions,
  io: Io,
): Promise<ExitCode> =>
  reportRolloutErrors(io, () =>
    withConnection(options, io, async (connection) => {
      const rollout = await selectRollout(name, connection, change.applies);
      return changeSelected(rollout, change, options, connection, io);
    }),
  );

/** Changes the spec of a rollout after confirmation, and prints the result. Throws a `RolloutError` if that is not possible. */
export async function changeSelected(
  rollout: StoredRollout,
  change: RolloutChange,
  options: ChangeOptions,
  connection: ClusterConnection,
  io: Io,
): Promise<ExitCode> {
  const now = connection.clock.now();
  const refusal = change.refusal?.(rollout, await readRollouts(connection));
  if (refusal !== undefined) throw new RolloutError(refusal);
  if (change.patch(rollout, now) && change.consequence !== undefined && options.yes !== true) {
    io.writeError(`${rollout.metadata.name}: ${rolloutLine(rolloutView(rollout, [], [], now))}\n`);
    io.writeError(`${change.consequence}\n`);
    if (!(await confirmOrRefuse(io, 'pass --yes'))) return exitCodes.incomplete;
  }
  const changed = await applyChange(rollout, change, connection);
  const result = changed ?? rollout;
  if (options.output === 'json') {
    const view = rolloutView(result, await readRollouts(connection), [], now);
    await io.write(`${JSON.stringify(view, null, 2)}\n`);
  } else await io.write(`${result.metadata.name}: ${changed ? '' : 'already '}${change.done}\n`);
  return exitCodes.success;
}

/** Returns the changed rollout; undefined if there is nothing to change. */
async function applyChange(
  first: StoredRollout,
  change: RolloutChange,
  { client, kube, clock }: ClusterConnection,
): Promise<StoredRollout | undefined> {
  const { name } = first.metadata;
  let rollout = first;
  for (let attempt = 1; ; attempt++) {
    const spec = change.patch(rollout, clock.now());
    if (!spec) return undefined;
    const { resourceVersion } = rollout.metadata;
    try {
      const body = { metadata: { resourceVersion }, spec };
      return asRollout(await client.patch(kube.resourceOf('PlatformRollout'), { name }, body));
    } catch (error) {
      if (kube.isApiError(error, 409) && attempt < maxAttempts) rollout = await readRollout(name, { client, kube });
      else if (kube.isApiError(error, 403))
        throw new RolloutError(
          `PlatformRollout ${name} was not changed: ${error.message}. It takes a group of spec.administrators or spec.breakGlass of the Platform, and the RBAC permission to patch platformrollouts`,
        );
      else if (kube.isApiError(error, 404, 409, 422))
        throw new RolloutError(`PlatformRollout ${name} was not changed: ${error.message}`);
      else throw error;
    }
  }
}

/** Throws a `RolloutError` if a rollout has ended. */
export function requireOpen(rollout: StoredRollout): void {
  if (isOpenRollout(rollout)) return;
  throw new RolloutError(
    `PlatformRollout ${rollout.metadata.name} has ended: it is ${rolloutPhaseOf(rollout)}; see "pinion rollout status ${rollout.metadata.name}"`,
  );
}
