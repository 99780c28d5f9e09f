import { type AddressInfo } from 'node:net';
import { type Registry } from 'prom-client';
import { manager } from '../api';
import {
  clientMetrics,
  type Clock,
  connect,
  type ConnectionSettings,
  inCluster,
  loadKubeConfig,
  runForLease,
} from '../kube';
import { Controller } from './controller';
import { type ControllerArguments } from './controller-arguments';
import { serveHealth } from './health';
import { errorText, jsonLog, type Log } from './log';

/** What the process hands in. */
export interface ControllerSurroundings {
  readonly clock: Clock;
  readonly registry: Registry;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Name of the machine or pod. */
  readonly host: string;
  readonly write: (line: string) => void;
  /** Raised when the process is asked to end. */
  readonly stop: AbortSignal;
}

/** Name of the lease of the one controller that works. */
const leaseName = 'pinion-controller';

/**
 * Runs the controller until it is asked to end or loses its lease; gives the exit code.
 *
 * The cluster is mirrored before the lease is won, so that a successor works at once. Asked to end, it finishes the
 * passes under way and gives the lease back; having lost the lease, it ends at once with 1, to be started anew.
 */
export async function runController(
  arguments_: ControllerArguments,
  surroundings: ControllerSurroundings,
): Promise<number> {
  const { clock, registry, host, write, stop } = surroundings;
  const log = jsonLog(write, () => clock.now(), arguments_.logLevel);
  const identity = `${host}_${Math.floor(clock.random() * 2 ** 48).toString(36)}`;
  // Asked from the first request on, decided as soon as there is an election.
  let isLeading = (): boolean => false;
  const metrics = clientMetrics(registry);
  const client = connect(settingsOf(arguments_, surroundings), {
    clock,
    userAgent: `${manager}-controller`,
    rate: { qps: arguments_.qps, burst: arguments_.burst },
    metrics,
    mayWrite: () => isLeading(),
  });
  const controller = new Controller({
    client,
    clock,
    log,
    registry,
    isLeading: () => isLeading(),
    workers: arguments_.workers,
    dryRun: arguments_.dryRun,
    instance: identity,
    reflector: { silence: arguments_.watchSilence * 1000 },
  });
  const health = await serveHealth(arguments_.port, arguments_.host, {
    sick: () => controller.sick(),
    unready: () => controller.unready(),
    metrics: () => registry.metrics(),
  });
  log.info('serving', { port: (health.address() as AddressInfo).port, identity, dryRun: arguments_.dryRun });
  try {
    await controller.start(stop);
    log.info('mirrored', { identity });
    if (arguments_.dryRun || !arguments_.leaderElection) {
      isLeading = () => true;
      controller.lead();
      await raised(stop);
      return 0;
    }
    const election = runForLease({
      client,
      namespace: arguments_.leaseNamespace,
      name: leaseName,
      identity,
      clock,
      metrics,
      onLead: (signal) => work(controller, signal, log, identity),
      onLost: () => log.error('lost the lease', { identity }),
      onHolder: (holder) => holder !== identity && log.info('another one leads', { holder }),
      onError: (error) => log.warn('lease not renewed', { error: errorText(error) }),
    });
    isLeading = () => election.isLeading();
    stop.addEventListener('abort', () => void election.stop());
    if (stop.aborted) void election.stop();
    return (await election.done) === 'stopped' ? 0 : 1;
  } catch (error) {
    if (stop.aborted) return 0;
    throw error;
  } finally {
    await controller.stop();
    health.close();
    health.closeAllConnections();
    client.close();
    log.info('ended', { identity });
  }
}

/** Reconciles until the lead ends; settled when no pass is under way any more, so that the lease is given back after the last write. */
async function work(controller: Controller, signal: AbortSignal, log: Log, identity: string): Promise<void> {
  log.info('leading', { identity });
  controller.lead();
  await raised(signal);
  await controller.rest();
}

const raised = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/** A named file, else the pod's own service account, else what kubectl would use. */
function settingsOf(
  { kubeconfig, context }: ControllerArguments,
  { environment }: ControllerSurroundings,
): ConnectionSettings {
  const inPod =
    kubeconfig === undefined && context === undefined && environment['KUBERNETES_SERVICE_HOST'] !== undefined;
  if (inPod) return inCluster({ environment });
  return loadKubeConfig({
    environment,
    ...(kubeconfig !== undefined && { file: kubeconfig }),
    ...(context !== undefined && { context }),
  });
}
