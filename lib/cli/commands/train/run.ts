import type * as OperationsModule from '../../../operations';
import { withConnection } from '../../cluster/cluster-connection';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { printRejected } from '../../input/single-document';
import { confirmOrRefuse } from '../../io/confirm-or-refuse';
import { UnavailableError, type Io } from '../../io/io';
import { readTrain } from './read-train';

/** `pinion train run`: prints what each cluster does or waits for, when it changes. */
export async function runTrainCommand(
  file: string,
  options: { readonly kubeconfig?: string; readonly yes: boolean; readonly 'force-conflicts': boolean },
  io: Io,
): Promise<ExitCode> {
  const { kubeconfig, yes } = options;
  const operations = module.require('../../../operations') as typeof OperationsModule;
  const read = await readTrain(file, io);
  if (!read.train) return printRejected(read, io);
  if (!io.system) throw new UnavailableError('cannot connect to a cluster from here');
  for (const { cluster, manifests } of read.stops)
    io.writeError(`${cluster.context}: ${manifests.length} manifests, soaks ${cluster.soak / 60_000} min\n`);
  if (!yes && !(await confirmOrRefuse(io))) return exitCodes.incomplete;
  try {
    const end = await operations.runTrain(read.train, read.stops, {
      clock: io.system.clock,
      force: options['force-conflicts'],
      withCluster: (context, action) =>
        withConnection({ context, ...(kubeconfig !== undefined && { kubeconfig }) }, io, ({ client }) =>
          action(client),
        ),
      report: (context, what) => io.writeError(`${context}: ${what}\n`),
    });
    if (end.isComplete) return exitCodes.success;
    io.writeError(`${end.context}: stops the train: ${end.reason}\n`);
    io.writeError('the clusters after it are untouched; once the cause is removed, run the same command again\n');
    return exitCodes.incomplete;
  } catch (error) {
    if (!(error instanceof operations.TrainConflict)) throw error;
    return exitCodes.incomplete;
  }
}
