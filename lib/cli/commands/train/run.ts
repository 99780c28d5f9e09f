import { formatDuration } from '../../../api';
import { controllerName } from '../../../expand';
import type * as KubeModule from '../../../kube';
import { type KubeClient, type SentObject } from '../../../kube';
import type * as OperationsModule from '../../../operations';
import { type TrainStop } from '../../../operations';
import { withConnection } from '../../cluster/cluster-connection';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { printRejected } from '../../input/single-document';
import { countText } from '../../output/tally';
import { confirmOrRefuse } from '../../io/confirm-or-refuse';
import { UnavailableError, type Io } from '../../io/io';
import { readTrain } from './read-train';

interface RunTrainValues {
  readonly kubeconfig?: string;
  readonly yes: boolean;
  readonly back: boolean;
  readonly 'dry-run': boolean;
  readonly 'force-conflicts': boolean;
}

/** `pinion train run`: prints what each cluster does or waits for, when it changes. */
export async function runTrainCommand(file: string, options: RunTrainValues, io: Io): Promise<ExitCode> {
  const { kubeconfig, yes, back: isBack, 'force-conflicts': force } = options;
  const operations = module.require('../../../operations') as typeof OperationsModule;
  const read = await readTrain(file, io);
  if (!read.train) return printRejected(read, io);
  if (!io.system) throw new UnavailableError('cannot connect to a cluster from here');
  for (const { cluster, manifests } of read.stops)
    io.writeError(
      `${cluster.context}: ${manifests.length} manifests, soaks ${formatDuration({ millis: cluster.soak })}\n`,
    );
  for (const { cluster, manifests } of read.stops) warnAboutBoth(cluster.context, manifests, io);
  const withCluster = <T>(context: string, action: (client: KubeClient) => Promise<T>): Promise<T> =>
    withConnection({ context, ...(kubeconfig !== undefined && { kubeconfig }) }, io, ({ client }) => action(client));
  if (options['dry-run']) return dryRun(read.stops, { force, withCluster }, io);
  if (!yes && !(await confirmOrRefuse(io))) return exitCodes.incomplete;
  try {
    const end = await operations.runTrain(read.train, read.stops, {
      clock: io.system.clock,
      force,
      isBack,
      withCluster: (context, action) =>
        withConnection({ context, ...(kubeconfig !== undefined && { kubeconfig }) }, io, ({ client }) =>
          action(client),
        ),
      report: (context, what) => io.writeError(`${context}: ${what}\n`),
    });
    if (end.isComplete) return exitCodes.success;
    io.writeError(`${end.context}: stops the train: ${end.reason}\n`);
    io.writeError(
      'it keeps what was applied, and the clusters after it are untouched; once the cause is removed, run the same command again, or take the change back with --back\n',
    );
    return exitCodes.incomplete;
  } catch (error) {
    if (!(error instanceof operations.TrainConflict)) throw error;
    return exitCodes.incomplete;
  }
}

interface DryRunDeps {
  readonly force: boolean;
  readonly withCluster: <T>(context: string, action: (client: KubeClient) => Promise<T>) => Promise<T>;
}

/** Prints for each cluster whether its API server accepts the manifests. */
async function dryRun(stops: readonly TrainStop[], { force, withCluster }: DryRunDeps, io: Io): Promise<ExitCode> {
  const operations = module.require('../../../operations') as typeof OperationsModule;
  const kube = module.require('../../../kube') as typeof KubeModule;
  let isRejected = false;
  for (const { cluster, manifests } of stops) {
    const rejection = await withCluster(cluster.context, (client) =>
      operations.dryRunManifests(client, manifests, { force }).then(
        () => undefined,
        (error: unknown) => {
          if (!kube.isApiError(error) || error.status === 0) throw error;
          return error.message;
        },
      ),
    );
    isRejected ||= rejection !== undefined;
    const text =
      rejection === undefined
        ? `accepts ${countText(manifests.length, 'manifest')}`
        : `rejects the change: ${rejection}`;
    await io.write(`${cluster.context}: the API server ${text}\n`);
  }
  return isRejected ? exitCodes.failure : exitCodes.success;
}

/** A hold of pods that only the library would change ends with any other change, such as that of a profile. */
function warnAboutBoth(context: string, manifests: readonly SentObject[], io: Io): void {
  const has = (kinds: readonly string[], name?: string): boolean =>
    manifests.some(({ kind, metadata }) => kinds.includes(kind) && (name === undefined || metadata.name === name));
  if (has(['Deployment'], controllerName) && has(['Platform', 'RuntimeProfile']))
    io.writeError(
      `${context}: warning: changes the controller and the Platform or a profile at once; use one train after the other, so that pods that only the new controller would change are held\n`,
    );
}
