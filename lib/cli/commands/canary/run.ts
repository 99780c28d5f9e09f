import { textAt } from '../../../api';
import type * as OperationsModule from '../../../operations';
import { type CanaryRunOptions, type CanaryCase, type CanaryRun, type CanaryDeps } from '../../../operations';
import { canaryDeploymentPaths, canaryName } from '../../../programs';
import { UsageError } from '../../command/usage-error';
import { type ClusterConnection, withConnection } from '../../cluster/cluster-connection';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UnavailableError, type Io } from '../../io/io';
import { textTable } from '../../output/text-table';
import { type CanaryRunValues } from './canary-options';
import { CaseProgress } from './case-progress';

/** `pinion canary run`: runs the canary with the caller's permissions. */
export async function runCanaryCommand(options: CanaryRunValues, io: Io): Promise<ExitCode> {
  const operations = module.require('../../../operations') as typeof OperationsModule;
  const kinds = operations.canaryKinds.filter((kind) => options.kind?.includes(kind));
  const deploymentPaths = canaryDeploymentPaths.filter((path) => options['deployment-path']?.includes(path));
  const selected = { ...(kinds.length > 0 && { kinds }), ...(deploymentPaths.length > 0 && { deploymentPaths }) };
  const limits =
    options.timeout === undefined ? operations.defaultStepLimits : operations.stepLimitsFor(options.timeout / 1000);
  return withConnection(options, io, async (connection) => {
    const stopping = new AbortController();
    const running = runWithLease(connection, { limits, signal: stopping.signal }, selected, options, io);
    const removeStopHandler = io.onStop(async () => {
      io.writeError('stopping and cleaning up; stop again to leave the cleanup to the next run\n');
      stopping.abort();
      await running.catch(() => undefined);
    });
    try {
      return await running;
    } catch (error) {
      if (error instanceof operations.CanaryNotInstalled) throw new UnavailableError(error.message, { cause: error });
      throw error;
    } finally {
      removeStopHandler();
    }
  });
}

/** Runs the canary under its lease and prints the result. */
async function runWithLease(
  connection: ClusterConnection,
  stepControl: Pick<CanaryDeps, 'limits' | 'signal'>,
  selected: CanaryRunOptions,
  options: CanaryRunValues,
  io: Io,
): Promise<ExitCode> {
  const operations = module.require('../../../operations') as typeof OperationsModule;
  const { client, clock } = connection;
  const { namespace } = options;
  const progress = new CaseProgress(io, options.json);
  try {
    const image = options.image ?? (await installedImage(connection, namespace));
    const servers = options['name-server'] ?? [];
    const deps: CanaryDeps = {
      client,
      clock,
      project: options.project,
      image,
      clusterDomain: 'cluster.local',
      ...stepControl,
      ...(servers.length > 0 && { dnsResolver: operations.createDnsResolver(servers) }),
    };
    const { onStep, onCase } = progress;
    const onHolder = (holder: string): void => io.writeError(`waiting for another run: ${holder}\n`);
    const runCanary = (leaseDeps: CanaryDeps) => operations.runCanary(leaseDeps, { ...selected, onStep, onCase });
    const run = await operations.withCanaryLease(deps, namespace, runCanary, onHolder);
    progress.end();
    if (run) return await printRun(run, connection, namespace, operations, options, io);
    io.writeError('the run was stopped or lost its lease; the next run cleans up after it\n');
    return exitCodes.incomplete;
  } finally {
    progress.end();
  }
}

/** Returns the image of the installed canary, which its test workloads also use. */
async function installedImage({ client, kube }: ClusterConnection, namespace: string): Promise<string> {
  const live = await client.get(kube.resourceOf('PinterestCronJob'), { name: canaryName, namespace });
  const image = textAt(live, 'spec', 'template', 'spec', 'containers', 0, 'image');
  if (image === undefined)
    throw new UsageError(
      `no canary installed in namespace ${namespace}; pass --image, or apply "pinion canary manifests"`,
    );
  return image;
}

async function printRun(
  run: CanaryRun,
  { client, kube }: ClusterConnection,
  namespace: string,
  operations: typeof OperationsModule,
  options: CanaryRunValues,
  io: Io,
): Promise<ExitCode> {
  try {
    await operations.recordRun(client, namespace, run);
  } catch (error) {
    if (!kube.isApiError(error)) throw error;
    io.writeError(`the run could not be recorded: ${error.message}\n`);
  }
  await io.write(options.json ? `${JSON.stringify(run, null, 2)}\n` : runText(run));
  return run.cases.some(({ state }) => state === 'failed') ? exitCodes.failure : exitCodes.success;
}

/** Returns a run as a table, with the causes below it. */
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
  const cleanup = swept > 0 ? `\nremoved ${swept} objects of a killed run\n` : '';
  return `${textTable(['KIND', 'DEPLOYMENT PATH', 'STATE', 'TIME', 'STEP'], rows)}${causes.join('')}${cleanup}`;
}

const failedStep = (steps: CanaryCase['steps']) => steps.find(({ state }) => state === 'failed');

function unchecked(steps: CanaryCase['steps']): string {
  const names = steps.filter(({ state }) => state === 'not-checked').map(({ step }) => step);
  return names.length > 0 ? `not checked: ${names.join(', ')}` : '';
}
