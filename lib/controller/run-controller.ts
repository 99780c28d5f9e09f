import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Registry } from 'prom-client';
import { manager } from '../api';
import {
  clientMetrics,
  type Clock,
  connect,
  type ConnectionSettings,
  electLeader,
  errorText,
  jsonLog,
  loadKubeConfig,
  type Log,
  loadDefaultConfig,
  whenAborted,
} from '../kube';
import { Controller } from './controller';
import { type ControllerArguments } from './controller-arguments';
import { serveHealth } from './health';
import { serveProfiles } from './profiles/serve-profiles';

/** Process in which the controller runs. */
export interface ControllerProcess {
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
 * reconciles in progress and releases the lease; when it loses the lease, it exits at once with 1, to be restarted.
 */
export async function runController(arguments_: ControllerArguments, context: ControllerProcess): Promise<number> {
  const { clock, registry, host, write, stop } = context;
  const log = jsonLog(write, () => clock.now(), arguments_.logLevel);
  const profiles = await profilesOf(arguments_, clock, log);
  const identity = `${host}_${Math.floor(clock.random() * 2 ** 48).toString(36)}`;
  // Asked from the first request on, decided as soon as there is an election.
  let isLeading = (): boolean => false;
  const metrics = clientMetrics(registry);
  const client = connect(settingsOf(arguments_, context), {
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
    // One leader and those who wait for its place: they may ask sooner than thousands of kubelets may.
    reflector: { idleTimeout: arguments_.watchSilence * 1000, backOff: { cap: 5_000 } },
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
      await whenAborted(stop);
      return 0;
    }
    // Settled when no pass is under way any more: the lease is given back after the last write.
    const election = electLeader({
      leader: controller,
      stop,
      client,
      namespace: arguments_.leaseNamespace,
      name: leaseName,
      identity,
      clock,
      metrics,
      onLead: () => log.info('leading', { identity }),
      onLost: () => log.error('lost the lease', { identity }),
      onHolder: (holder) => holder !== identity && log.info('another one leads', { holder }),
      onError: (error) => log.warn('lease not renewed', { error: errorText(error) }),
    });
    isLeading = () => election.isLeading();
    return (await election.done) === 'stopped' ? 0 : 1;
  } catch (error) {
    if (stop.aborted) return 0;
    throw error;
  } finally {
    await controller.stop();
    for (const server of [health, profiles]) {
      server?.close();
      server?.closeAllConnections();
    }
    client.close();
    log.info('ended', { identity });
  }
}

/** Serves profiles where a port is given, before there is anything in memory, so that all of it is seen. */
async function profilesOf(
  { profilePort, host }: ControllerArguments,
  clock: Clock,
  log: Log,
): Promise<Server | undefined> {
  if (profilePort === undefined) return undefined;
  const server = await serveProfiles(profilePort, host, { clock, log });
  // Where the controller cannot start, nothing waits for who might ask.
  server.unref();
  log.info('serving profiles', { profilePort: (server.address() as AddressInfo).port });
  return server;
}

/** A named file, else the pod's own service account, else what kubectl would use. */
function settingsOf(
  { kubeconfig, context }: ControllerArguments,
  { environment }: ControllerProcess,
): ConnectionSettings {
  if (kubeconfig === undefined && context === undefined) return loadDefaultConfig(environment);
  return loadKubeConfig({
    environment,
    ...(kubeconfig !== undefined && { file: kubeconfig }),
    ...(context !== undefined && { context }),
  });
}
