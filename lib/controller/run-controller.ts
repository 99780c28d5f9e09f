import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Registry } from 'prom-client';
import { manager } from '../api';
import { controllerName, platformControllerName } from '../expand';
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
  /** Host or pod name. */
  readonly host: string;
  readonly write: (line: string) => void;
  /** Aborted on shutdown. */
  readonly stop: AbortSignal;
}

/** Returns the name of the lease for leader election: controllers of different scopes lead at the same time. */
const leaseNameOf = ({ scope }: ControllerArguments): string =>
  scope === 'platform' ? platformControllerName : controllerName;

/**
 * Runs the controller until shutdown or until it loses its lease; returns the exit code.
 *
 * Caches are synced before the lease is acquired, so that a successor starts at once. On shutdown it finishes the
 * reconciles in progress and releases the lease; when it loses the lease, it exits at once with 1, to be restarted.
 */
export async function runController(arguments_: ControllerArguments, context: ControllerProcess): Promise<number> {
  const { clock, registry, host, write, stop } = context;
  const log = jsonLog(write, () => clock.now(), arguments_.logLevel);
  const profiles = await startProfileServer(arguments_, clock, log);
  const identity = `${host}_${Math.floor(clock.random() * 2 ** 48).toString(36)}`;
  // Replaced once an election or a run without a lease starts.
  let isLeading = (): boolean => false;
  const metrics = clientMetrics(registry);
  const client = connect(loadSettings(arguments_, context), {
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
    ...(arguments_.scope && { scopes: [arguments_.scope] }),
    dryRun: arguments_.dryRun,
    instance: identity,
    namespace: arguments_.leaseNamespace,
    // Only the leader and its standbys send these requests, so they may retry more often than thousands of kubelets.
    reflector: { idleTimeout: arguments_.watchSilence * 1000, backOff: { cap: 5_000 } },
  });
  const health = await serveHealth(arguments_.port, arguments_.host, {
    unhealthyReason: () => controller.unhealthyReason(),
    notReadyReason: () => controller.notReadyReason(),
    metrics: () => registry.metrics(),
  });
  log.info('serving', { port: (health.address() as AddressInfo).port, identity, dryRun: arguments_.dryRun });
  try {
    await controller.start(stop);
    log.info('caches synced', { identity });
    if (arguments_.dryRun || !arguments_.leaderElection) {
      isLeading = () => true;
      controller.lead();
      await whenAborted(stop);
      return 0;
    }
    // Resolves when no reconcile is in progress: the lease is released after the last write.
    const election = electLeader({
      leader: controller,
      stop,
      client,
      namespace: arguments_.leaseNamespace,
      name: leaseNameOf(arguments_),
      identity,
      clock,
      metrics,
      onLead: () => log.info('leading', { identity }),
      onLost: () => log.error('lost the lease', { identity }),
      onHolder: (holder) => holder !== identity && log.info('another replica leads', { holder }),
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
    log.info('stopped', { identity });
  }
}

/** Serves profiles if a port is set; starts before memory is allocated, so that profiles include all allocations. */
async function startProfileServer(
  { profilePort, host }: ControllerArguments,
  clock: Clock,
  log: Log,
): Promise<Server | undefined> {
  if (profilePort === undefined) return undefined;
  const server = await serveProfiles(profilePort, host, { clock, log });
  // If the controller cannot start, the server must not keep the process alive.
  server.unref();
  log.info('serving profiles', { profilePort: (server.address() as AddressInfo).port });
  return server;
}

/** Loads the configuration: from the given file, otherwise from the pod's service account, otherwise as kubectl does. */
function loadSettings(
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
