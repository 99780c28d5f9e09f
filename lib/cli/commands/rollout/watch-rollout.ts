import { type StoredRollout } from '../../../expand';
import { delay } from '../../../process';
import { type ClusterConnection } from '../../cluster/cluster-connection';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { readRollouts, RolloutError } from './read-rollouts';
import { rolloutResult } from './rollout-result';
import { rolloutLine } from './rollout-text';
import { rolloutView } from './rollout-view';

/** Milliseconds between two reads. */
const interval = 5_000;

/** What a watch ended with. */
export interface WatchedRollout {
  readonly rollout: StoredRollout;
  readonly rollouts: readonly StoredRollout[];
  /** Incomplete on timeout. */
  readonly code: ExitCode;
}

/** Reads a rollout until it no longer continues by itself or the timeout in milliseconds has passed; prints each change. */
export async function watchRollout(
  name: string,
  timeout: number | undefined,
  connection: ClusterConnection,
  io: Io,
): Promise<WatchedRollout> {
  const { clock } = connection;
  const deadline = timeout === undefined ? Infinity : clock.now() + timeout;
  let shown = '';
  const print = (line: string): void => {
    if (line !== shown) io.writeError(`${new Date(clock.now()).toISOString().slice(0, 19)}Z ${line}\n`);
    shown = line;
  };
  let last: WatchedRollout | undefined;
  for (;;) {
    const rollouts = await readUnlessUnavailable(connection, last !== undefined, print);
    const rollout = rollouts?.find(({ metadata }) => metadata.name === name);
    if (rollouts && !rollout) throw new RolloutError(`PlatformRollout ${name} was deleted`);
    if (rollouts && rollout) {
      print(rolloutLine(rolloutView(rollout, rollouts, [], clock.now())));
      last = { rollout, rollouts, code: rolloutResult(rollout, rollouts) };
      if (last.code !== exitCodes.incomplete) return last;
    }
    if (last && clock.now() + interval > deadline) return last;
    await delay(clock, interval);
  }
}

/** Returns undefined instead of throwing if the API server does not respond after it has: it restarts during maintenance. */
async function readUnlessUnavailable(
  connection: ClusterConnection,
  hasResponded: boolean,
  print: (line: string) => void,
): Promise<readonly StoredRollout[] | undefined> {
  try {
    return await readRollouts(connection);
  } catch (error) {
    const { kube } = connection;
    const isTransient = kube.isApiError(error) && (error.status === 0 || error.status === 429 || error.status >= 500);
    if (!hasResponded || !isTransient) throw error;
    print(`the cluster: ${error.message}; trying again`);
    return undefined;
  }
}
