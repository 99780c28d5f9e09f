import { explainProblem } from '../../api';
import { FolderBlobStore, type BlobStore, type StoreLocation, parseStoreLocation } from '../../artifact';
import { type Clock, connect, errorText, jsonLog, type KubeClient, type Log, loadDefaultConfig } from '../../kube';
import { withCanaryLease } from './canary-lease';
import { canaryMetrics, pushCanary } from './canary-metrics';
import { type CanaryCase, type CanaryRun } from './canary-report';
import { type CanarySettings, readCanarySettings } from './canary-settings';
import { type CanaryDeps } from './canary-deps';
import { nameServer } from './name-server';
import { recordRun } from './report-store';
import { CanaryNotInstalled, runCanary } from './run-canary';
import { submissionOf } from './submission-of';

/** What the canary needs of its process. */
export interface CanaryProcess {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  /** Ends the run, and what it made is removed. */
  readonly signal: AbortSignal;
  /** Writes a line of the log. */
  readonly write: (line: string) => void;
  /** Opens a bucket with the region and credentials of the process. */
  readonly openBucket: (location: BucketLocation) => BlobStore;
}

type BucketLocation = Extract<StoreLocation, { readonly bucket: string }>;

/** How the process ends: all doors that are there were gone through, something failed, it was set up wrongly. */
export const canaryExit = { fine: 0, failed: 1, settings: 2 } as const;

type CanaryExit = (typeof canaryExit)[keyof typeof canaryExit];

/** One run of the canary, from its environment to its exit code; throws nothing. */
export async function canaryProcess(process: CanaryProcess): Promise<CanaryExit> {
  const { environment, clock, signal, write } = process;
  const log = jsonLog(write, () => clock.now());
  const read = readCanarySettings(environment);
  if ('problems' in read) {
    for (const problem of read.problems) log.error('a variable is wrong', { problem: explainProblem(problem) });
    return canaryExit.settings;
  }
  const { settings } = read;
  let client: KubeClient | undefined;
  try {
    client = connect(loadDefaultConfig(environment), {
      clock,
      userAgent: 'pinion-canary',
      rate: { qps: 50, burst: 100 },
    });
    const world: CanaryDeps = { client, clock, signal, project: settings.playground, ...seen(settings) };
    const onHolder = (holder: string): void => log.info('another run is under way', { holder });
    const run = await withCanaryLease(
      world,
      settings.namespace,
      (own) => oneRun(own, settings, process, log),
      onHolder,
    );
    if (!run) log.error('the run was cut off: it was stopped, or lost its lease');
    if (!run) return canaryExit.failed;
    return (await told(run, world, settings, process, log)) ? canaryExit.fine : canaryExit.failed;
  } catch (error) {
    log.error('the run failed', { reason: errorText(error) });
    return error instanceof CanaryNotInstalled ? canaryExit.settings : canaryExit.failed;
  } finally {
    client?.close();
  }
}

function seen({ image, clusterDomain, limits, nameServers }: CanarySettings) {
  const names = nameServers === 'none' ? undefined : nameServer(nameServers === 'pod' ? [] : nameServers);
  return { image, clusterDomain, limits, ...(names && { names }) };
}

function oneRun(
  world: CanaryDeps,
  settings: CanarySettings,
  { fetch: ask, openBucket }: CanaryProcess,
  log: Log,
): Promise<CanaryRun> {
  const { kinds, doors, submission, playground } = settings;
  const store = submission && openStore(submission.store, openBucket);
  const door = submission && store && submissionOf(submission, store, playground, world.clock, ask);
  return runCanary(world, { kinds, doors, ...(door && { submission: door }), onCase: (done) => printCase(done, log) });
}

function printCase({ kind, door, state, reason, steps }: CanaryCase, log: Log): void {
  const failed = steps.find((step) => step.state === 'failed');
  const facts = { kind, door, state, ...(reason !== undefined && { reason }) };
  const { part, owner, message: cause, next } = failed?.cause ?? {};
  if (failed)
    log.error('a step failed', { ...facts, step: failed.step, reason: failed.reason, part, owner, cause, next });
  else log.info('a door was gone through', facts);
}

/** Keeps and exports what came of a run; gives whether all is well. */
async function told(
  run: CanaryRun,
  { client }: CanaryDeps,
  { namespace, pushgateway }: CanarySettings,
  { fetch: ask }: CanaryProcess,
  log: Log,
): Promise<boolean> {
  const report = await recordRun(client, namespace, run);
  const pushed = pushgateway && (await pushCanary(pushgateway, canaryMetrics(report), ask));
  if (pushed !== undefined) log.error('metrics could not be pushed', { reason: pushed });
  const of = (state: CanaryCase['state']): number => run.cases.filter((one) => one.state === state).length;
  const [passed, failed, skipped] = [of('passed'), of('failed'), of('skipped')];
  const facts = { run: run.id, passed, failed, skipped, swept: run.swept };
  if (failed > 0) log.error('the run is over', facts);
  else log.info('the run is over', facts);
  return failed === 0 && passed > 0 && pushed === undefined;
}

function openStore(text: string, openBucket: CanaryProcess['openBucket']): BlobStore {
  const location = parseStoreLocation(text);
  if (!location) throw new Error(`${text} is no store`);
  return 'folder' in location ? new FolderBlobStore(location.folder) : openBucket(location);
}
