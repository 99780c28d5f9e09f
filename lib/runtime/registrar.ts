import { readFileSync } from 'node:fs';
import { completesWithin, type Clock, type Log } from '../process';
import { ReadinessProbe } from './readiness-probe';
import { registrarMetrics, type RegistrarDeps } from './registrar-metrics';
import { type RegistrarSettings } from './registrar-settings';
import { Registration } from './registration';
import { memberData, memberPath } from './service-entry';
import { serveRegistrarStatus } from './status-server';
import { awaitSuccessor } from './await-successor';
import { ZookeeperSession, type SessionListener } from './zookeeper/zookeeper-session';

/** Running registrar. */
export interface Registrar {
  /** Removes the pod and ends the session; true if ZooKeeper confirms. Further calls return the same result. */
  withdraw(): Promise<boolean>;
  /** Withdraws and stops everything. */
  stop(): Promise<boolean>;
}

/** Milliseconds to wait for ZooKeeper to confirm the withdrawal; the entry ends with its session in any case. */
const withdrawTimeout = 5_000;
/** Periods without a check after which the readiness probe counts as hung. */
const hungPeriods = 30;

/** Registers the pod while its app is ready, until it is withdrawn or stopped. Rejects if the status port is in use. */
export async function startRegistrar(settings: RegistrarSettings, clock: Clock, log: Log): Promise<Registrar> {
  const path = memberPath(settings.root, settings.service, settings.pod.uid);
  const session = createSession(settings, clock, log, {
    connected: () => registration.handleReconnect(),
    changed: () => registration.reconcile(),
  });
  const registration = new Registration({
    path,
    data: memberData({ address: settings.address, port: settings.servicePort }, settings.pod),
    access: settings.identity ? 'authenticated' : 'open',
    session,
    clock,
    log,
  });
  const probe = new ReadinessProbe(readinessOptions(settings, clock), (isReady, reason) => {
    log.info(isReady ? 'app is ready' : 'app is unready', { reason });
    if (!withdrawal) registration.setDesired(isReady);
  });
  const deps = { registration, probe, session };
  let withdrawal: Promise<boolean> | undefined;
  const withdraw = (): Promise<boolean> => (withdrawal ??= withdrawPod(deps, path, clock, log));
  const server = await serveRegistrarStatus(settings.statusPort, {
    isLive: () =>
      withdrawal !== undefined || probe.sinceLastCheck < hungPeriods * Math.max(1_000, settings.readinessPeriod),
    isSettled: () => withdrawal !== undefined || registration.isSettled,
    metrics: () => registrarMetrics(deps),
    withdraw,
  });
  session.start();
  probe.start();
  const stop = async (): Promise<boolean> => {
    const confirmed = await withdraw();
    server.close();
    server.closeAllConnections();
    return confirmed;
  };
  return { withdraw, stop };
}

function createSession(
  settings: RegistrarSettings,
  clock: Clock,
  log: Log,
  listener: SessionListener,
): ZookeeperSession {
  const { servers, sessionTimeout, identity } = settings;
  const zookeeperIdentity = identity && { scheme: identity.scheme, secret: () => readSecret(identity.file) };
  const options = { servers, timeout: sessionTimeout, identity: zookeeperIdentity, clock, log };
  return new ZookeeperSession(options, listener);
}

const readSecret = (file: string): Buffer => Buffer.from(readFileSync(file, 'utf8').trim());

function readinessOptions(settings: RegistrarSettings, clock: Clock) {
  const { address, servicePort, readinessPath, readinessPeriod, readyAfter, unreadyAfter } = settings;
  return { address, port: servicePort, path: readinessPath, period: readinessPeriod, readyAfter, unreadyAfter, clock };
}

/** Removes the entry, even one of an earlier registrar, and ends the session; the last entry of a service waits for a successor first. */
async function withdrawPod(deps: RegistrarDeps, path: string, clock: Clock, log: Log): Promise<boolean> {
  const { registration, probe, session } = deps;
  probe.stop();
  if (registration.state === 'present')
    await awaitSuccessor(path.slice(0, path.lastIndexOf('/')), { session, probe, clock, log });
  registration.setDesired(false);
  await completesWithin(clock, withdrawTimeout / 2, registration.idle());
  const confirmed = await session.close(withdrawTimeout / 2);
  if (confirmed) log.info('withdrawn', { path });
  else log.warn('withdrawal not confirmed; the entry ends with its session', { path });
  return confirmed;
}
