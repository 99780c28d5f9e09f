import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Registry } from 'prom-client';
import { manager as fieldManager } from '../api';
import { controllerName, platformControllerName } from '../expand';
import { type Clock, jsonLog, loadDefaultConfig, type Log } from '../client';
import { LeaderElectionLostError, Manager } from '../controller-runtime';
import { type ControllerArguments } from './controller-arguments';
import { PinionController } from './pinion-controller';
import { serveProfiles } from './profiles/serve-profiles';

/** Process in which the controller runs. */
export interface ControllerProcess {
  readonly clock: Clock;
  readonly registry: Registry;
  readonly environment: Readonly<Record<string, string | undefined>>;
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
  const { clock, registry, write, stop } = context;
  const log = jsonLog(write, () => clock.now(), arguments_.logLevel);
  const profiles = await startProfileServer(arguments_, clock, log);
  const { dryRun, leaseNamespace: namespace } = arguments_;
  const manager = new Manager(loadDefaultConfig(context.environment, arguments_), {
    clock,
    log,
    servingFields: { dryRun },
    registry,
    userAgent: `${fieldManager}-controller`,
    fieldManager,
    rate: { qps: arguments_.qps, burst: arguments_.burst },
    // Only the leader and its standbys send these requests, so they may retry more often than thousands of kubelets.
    reflector: { idleTimeout: arguments_.watchSilence * 1000, backOff: { cap: 5_000 } },
    health: { host: arguments_.host, port: arguments_.port },
    ...(!dryRun && arguments_.leaderElection && { leaderElection: { namespace, name: leaseNameOf(arguments_) } }),
  });
  manager.add(
    new PinionController({
      manager,
      workers: arguments_.workers,
      ...(arguments_.scope && { scopes: [arguments_.scope] }),
      dryRun,
      namespace,
    }),
  );
  try {
    await manager.start(stop);
    return 0;
  } catch (error) {
    if (error instanceof LeaderElectionLostError) return 1;
    throw error;
  } finally {
    profiles?.close();
    profiles?.closeAllConnections();
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
