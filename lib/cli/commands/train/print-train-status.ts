import type * as OperationsModule from '../../../operations';
import { type TrainRecord, type TrainStop } from '../../../operations';
import { withConnection } from '../../cluster/cluster-connection';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { printRejected } from '../../input/single-document';
import { UnavailableError, type Io } from '../../io/io';
import { textTable } from '../../output/text-table';
import { readTrain } from './read-train';

/** State of a train on a cluster. */
interface TrainRow {
  readonly context: string;
  readonly state: 'pending' | 'applying' | 'settling' | 'soaking' | 'stopped' | 'passed' | 'unreachable';
  /** Time since which it is in that state, in RFC 3339. */
  readonly since?: string;
  readonly reason?: string;
  /** How far the last roll of the machines is. @default - none is recorded, or it may not be read */
  readonly nodes?: string;
}

/** `pinion train status`. */
export async function printTrainStatus(
  file: string,
  { kubeconfig, output }: { readonly kubeconfig?: string; readonly output: string },
  io: Io,
): Promise<ExitCode> {
  const read = await readTrain(file, io);
  if (!read.train) return printRejected(read, io);
  const rows = await Promise.all(read.stops.map((stop) => rowOf(stop, kubeconfig, io)));
  const cells = rows.map(({ context, state, since = '', nodes = '-', reason = '' }) => [
    context,
    state,
    since,
    nodes,
    reason,
  ]);
  const text = textTable(['CONTEXT', 'STATE', 'SINCE', 'NODES', 'REASON'], cells);
  await io.write(output === 'json' ? `${JSON.stringify(rows, null, 2)}\n` : text);
  if (rows.some(({ state }) => state === 'unreachable')) return exitCodes.unavailable;
  return rows.every(({ state }) => state === 'passed') ? exitCodes.success : exitCodes.incomplete;
}

async function rowOf({ cluster, manifests }: TrainStop, kubeconfig: string | undefined, io: Io): Promise<TrainRow> {
  const operations = module.require('../../../operations') as typeof OperationsModule;
  const { context } = cluster;
  try {
    const options = { context, ...(kubeconfig !== undefined && { kubeconfig }) };
    const { record, nodes } = await withConnection(options, io, async ({ client, clock, kube }) => {
      const stored = await operations.readTrainRecord(client);
      const roll = await operations.readRollState(client, clock).catch((error: unknown) => {
        if (kube.isApiError(error, 403)) return undefined;
        throw error;
      });
      return { ...stored, nodes: roll && operations.rollText(roll) };
    });
    const isCurrent = record?.digest === operations.manifestsDigest(manifests);
    const state = isCurrent ? stateOf(record) : { state: 'pending' as const };
    return { context, ...state, ...(nodes !== undefined && { nodes }) };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { context, state: 'unreachable', reason: error.message };
  }
}

function stateOf({
  startedAt,
  appliedAt,
  settledAt,
  passedAt,
  haltedReason,
}: TrainRecord): Omit<TrainRow, 'context' | 'nodes'> {
  if (passedAt !== undefined) return { state: 'passed', since: passedAt };
  if (haltedReason !== undefined) return { state: 'stopped', reason: haltedReason };
  if (settledAt !== undefined) return { state: 'soaking', since: settledAt };
  return appliedAt === undefined ? { state: 'applying', since: startedAt } : { state: 'settling', since: appliedAt };
}
