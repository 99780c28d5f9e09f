import { parseDuration, textAt } from '../../../api';
import type * as OperationsRoom from '../../../operations';
import { type CanaryRunOptions, type CanaryCase, type CanaryRun, type CanaryDeps } from '../../../operations';
import { canaryDeploymentPaths, canaryName, canarySandbox, canaryProject } from '../../../programs';
import { splitList, UsageError } from '../../command/arguments';
import { type ClusterConnection, withConnection } from '../../cluster/cluster-connection';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UnavailableError, type Io } from '../../io/io';
import { textTable } from '../../output/text-table';
import { type CanaryArguments } from './canary-options';
import { CaseProgress } from './case-progress';

/** `pinion canary run`: a run by the rights of the person who asks. */
export async function runCanaryCommand(given: CanaryArguments, io: Io): Promise<ExitCode> {
  const operations = module.require('../../../operations') as typeof OperationsRoom;
  const { values } = given;
  const [kindNames, pathNames] = [splitList(values.kind), splitList(values['deployment-path'])];
  const kinds = operations.canaryKinds.filter((kind) => kindNames.includes(kind));
  const deploymentPaths = canaryDeploymentPaths.filter((path) => pathNames.includes(path));
  const asked = { ...(kinds.length > 0 && { kinds }), ...(deploymentPaths.length > 0 && { deploymentPaths }) };
  const limits = limitsOf(values.timeout, operations);
  return withConnection(values, io, async (connection) => {
    const stopping = new AbortController();
    const running = runAlone(connection, { limits, signal: stopping.signal }, asked, given, io);
    const forget = io.onStop(async () => {
      io.writeError('stopping: what the run made is removed; stop it again to leave it to the next run\n');
      stopping.abort();
      await running.catch(() => undefined);
    });
    try {
      return await running;
    } catch (error) {
      if (error instanceof operations.CanaryNotInstalled) throw new UnavailableError(error.message, { cause: error });
      throw error;
    } finally {
      forget();
    }
  });
}

/** A run while nobody else does one, and what is told of it. */
async function runAlone(
  connection: ClusterConnection,
  limited: Pick<CanaryDeps, 'limits' | 'signal'>,
  asked: CanaryRunOptions,
  given: CanaryArguments,
  io: Io,
): Promise<ExitCode> {
  const operations = module.require('../../../operations') as typeof OperationsRoom;
  const { client, clock } = connection;
  const { values, flags } = given;
  const namespace = values.namespace ?? canaryProject;
  const progress = new CaseProgress(io, flags.json === true);
  try {
    const image = values.image ?? (await installedImage(connection, namespace));
    const servers = splitList(values['name-server']);
    const world: CanaryDeps = {
      client,
      clock,
      project: values.project ?? canarySandbox,
      image,
      clusterDomain: 'cluster.local',
      ...limited,
      ...(servers.length > 0 && { names: operations.createNameServer(servers) }),
    };
    const { onStep, onCase } = progress;
    const onHolder = (holder: string): void => io.writeError(`another run, ${holder}, is under way; waiting\n`);
    const work = (own: CanaryDeps) => operations.runCanary(own, { ...asked, onStep, onCase });
    const run = await operations.withCanaryLease(world, namespace, work, onHolder);
    progress.end();
    if (run) return await printRun(run, connection, namespace, operations, given, io);
    io.writeError(
      'the run was cut off: it was stopped, or lost its lease; what may be left of it is removed by the next one\n',
    );
    return exitCodes.incomplete;
  } finally {
    progress.end();
  }
}

/** The image of the canary that is installed: what it deploys has the same. */
async function installedImage({ client, kube }: ClusterConnection, namespace: string): Promise<string> {
  const live = await client.get(kube.resourceOf('PinterestCronJob'), { name: canaryName, namespace });
  const image = textAt(live, 'spec', 'template', 'spec', 'containers', 0, 'image');
  if (image === undefined)
    throw new UsageError(
      `no canary is installed in namespace ${namespace}; give --image, or apply "pinion canary manifests"`,
    );
  return image;
}

async function printRun(
  run: CanaryRun,
  { client, kube }: ClusterConnection,
  namespace: string,
  operations: typeof OperationsRoom,
  { flags }: CanaryArguments,
  io: Io,
): Promise<ExitCode> {
  try {
    await operations.recordRun(client, namespace, run);
  } catch (error) {
    if (!kube.isApiError(error)) throw error;
    io.writeError(`the run is in no report: ${error.message}\n`);
  }
  await io.write(flags.json === true ? `${JSON.stringify(run, null, 2)}\n` : runText(run));
  return run.cases.some(({ state }) => state === 'failed') ? exitCodes.failure : exitCodes.success;
}

/** A run as a table, with the causes below it. */
export function runText({ cases, swept }: CanaryRun): string {
  const rows = cases.map(({ kind, deploymentPath, state, reason, steps }) => [
    kind,
    deploymentPath,
    state,
    `${steps.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(1)} s`,
    reason ?? failedStep(steps)?.step ?? unchecked(steps),
  ]);
  const causes = cases.flatMap(({ kind, deploymentPath, steps }) => {
    const cause = failedStep(steps)?.cause;
    return cause
      ? [
          `\n${kind} through ${deploymentPath}: ${cause.part} (owner: ${cause.owner})\n  ${cause.message}\n  ${cause.next}\n`,
        ]
      : [];
  });
  const swabbed = swept > 0 ? `\n${swept} objects of a run that was killed were removed\n` : '';
  return `${textTable(['KIND', 'DEPLOYMENT PATH', 'STATE', 'TIME', 'STEP'], rows)}${causes.join('')}${swabbed}`;
}

const failedStep = (steps: CanaryCase['steps']) => steps.find(({ state }) => state === 'failed');

function unchecked(steps: CanaryCase['steps']): string {
  const names = steps.filter(({ state }) => state === 'not-checked').map(({ step }) => step);
  return names.length > 0 ? `not checked: ${names.join(', ')}` : '';
}

function limitsOf(
  text: string | undefined,
  { stepLimitsFor, defaultStepLimits }: typeof OperationsRoom,
): CanaryDeps['limits'] {
  if (text === undefined) return defaultStepLimits;
  const seconds = (parseDuration(text)?.millis ?? 0) / 1000;
  if (seconds < 1 || seconds > 600) throw new UsageError('--timeout takes a duration from 1s to 10m');
  return stepLimitsFor(seconds);
}
