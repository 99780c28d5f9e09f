import { explainProblem, manager } from '../../api';
import { FolderBlobStore, type BlobStore, type StoreLocation, parseStoreLocation } from '../../artifact';
import { type Clock, connect, errorText, jsonLog, type KubeClient, type Log, loadDefaultConfig } from '../../kube';
import { withCanaryLease } from './canary-lease';
import { canaryMetrics, pushCanary } from './canary-metrics';
import { type CanaryCase, type CanaryRun } from './canary-report';
import { type CanarySettings, readCanarySettings } from './canary-settings';
import { type CanaryDeps } from './canary-deps';
import { createDnsResolver } from './create-dns-resolver';
import { recordRun } from './report-store';
import { CanaryNotInstalled, runCanary } from './run-canary';
import { createSubmissionDeployer } from './create-submission-deployer';

/** Environment and services of the canary's process. */
export interface CanaryProcess {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  /** Aborts the run and deletes its objects. */
  readonly signal: AbortSignal;
  /** Writes a log line. */
  readonly write: (line: string) => void;
  /** Opens a bucket with the process's region and credentials. */
  readonly openBucket: (location: BucketLocation) => BlobStore;
}

type BucketLocation = Extract<StoreLocation, { readonly bucket: string }>;

/** Exit codes: all available deployment paths passed, a test or the run failed, the configuration is invalid. */
export const canaryExit = { success: 0, failure: 1, settings: 2 } as const;

type CanaryExit = (typeof canaryExit)[keyof typeof canaryExit];

/** Runs the canary once and returns the exit code; never throws. */
export async function canaryProcess(process: CanaryProcess): Promise<CanaryExit> {
  const { environment, clock, signal, write } = process;
  const log = jsonLog(write, () => clock.now());
  const result = readCanarySettings(environment);
  if ('problems' in result) {
    for (const problem of result.problems) log.error('invalid variable', { problem: explainProblem(problem) });
    return canaryExit.settings;
  }
  const { settings } = result;
  let client: KubeClient | undefined;
  try {
    client = connect(loadDefaultConfig(environment), {
      clock,
      userAgent: 'pinion-canary',
      fieldManager: manager,
      rate: { qps: 50, burst: 100 },
    });
    const deps: CanaryDeps = { client, clock, signal, project: settings.sandbox, ...depsOf(settings) };
    const onHolder = (holder: string): void => log.info('waiting for another run', { holder });
    const run = await withCanaryLease(
      deps,
      settings.namespace,
      (own) => runOnce(own, settings, process, log),
      onHolder,
    );
    if (!run) log.error('run aborted or lease lost');
    if (!run) return canaryExit.failure;
    return (await recordAndExport(run, deps, settings, process, log)) ? canaryExit.success : canaryExit.failure;
  } catch (error) {
    log.error('run failed', { reason: errorText(error) });
    return error instanceof CanaryNotInstalled ? canaryExit.settings : canaryExit.failure;
  } finally {
    client?.close();
  }
}

function depsOf({ image, clusterDomain, limits, nameServers }: CanarySettings) {
  const names = nameServers === 'none' ? undefined : createDnsResolver(nameServers === 'pod' ? [] : nameServers);
  return { image, clusterDomain, limits, ...(names && { names }) };
}

function runOnce(
  deps: CanaryDeps,
  settings: CanarySettings,
  { fetch, openBucket }: CanaryProcess,
  log: Log,
): Promise<CanaryRun> {
  const { kinds, deploymentPaths, submission, sandbox } = settings;
  const store = submission && openStore(submission.store, openBucket);
  const deployer = submission && store && createSubmissionDeployer(submission, store, sandbox, deps.clock, fetch);
  return runCanary(deps, {
    kinds,
    deploymentPaths,
    ...(deployer && { submission: deployer }),
    onCase: (done) => logCase(done, log),
  });
}

function logCase({ kind, deploymentPath, state, reason, steps }: CanaryCase, log: Log): void {
  const failed = steps.find((step) => step.state === 'failed');
  const fields = { kind, deploymentPath, state, ...(reason !== undefined && { reason }) };
  const { part, owner, message: cause, next } = failed?.cause ?? {};
  if (failed)
    log.error('step failed', { ...fields, step: failed.step, reason: failed.reason, part, owner, cause, next });
  else log.info('deployment path tested', fields);
}

/** Records a run and pushes its metrics; returns whether everything succeeded. */
async function recordAndExport(
  run: CanaryRun,
  { client }: CanaryDeps,
  { namespace, pushgateway }: CanarySettings,
  { fetch }: CanaryProcess,
  log: Log,
): Promise<boolean> {
  const report = await recordRun(client, namespace, run);
  const pushed = pushgateway && (await pushCanary(pushgateway, canaryMetrics(report), fetch));
  if (pushed !== undefined) log.error('metrics push failed', { reason: pushed });
  const count = (state: CanaryCase['state']): number => run.cases.filter((one) => one.state === state).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  const fields = { run: run.id, passed, failed, skipped, swept: run.swept };
  if (failed > 0) log.error('run finished', fields);
  else log.info('run finished', fields);
  return failed === 0 && passed > 0 && pushed === undefined;
}

function openStore(text: string, openBucket: CanaryProcess['openBucket']): BlobStore {
  const location = parseStoreLocation(text);
  if (!location) throw new Error(`${text} is not an artifact store`);
  return 'folder' in location ? new FolderBlobStore(location.folder) : openBucket(location);
}
