import { readFileSync } from 'node:fs';
import { type Clock } from '../kube';
import { type Log } from './log';
import { ReadinessWatch } from './readiness-watch';
import { registrarMetrics, type RegistrarParts } from './registrar-metrics';
import { type RegistrarSettings } from './registrar-settings';
import { Registration } from './registration';
import { memberData, memberPath } from './service-entry';
import { serveStatus } from './status-server';
import { successorIn } from './successor';
import { within } from './within';
import { ZookeeperSession, type SessionListener } from './zookeeper-session';

/** A registrar that runs. */
export interface Registrar {
  /** Takes the pod out for good and ends the session; true where ZooKeeper confirmed it. Called again it tells the same. */
  withdraw(): Promise<boolean>;
  /** Withdraws and stops all else. */
  stop(): Promise<boolean>;
}

/** Milliseconds that ZooKeeper has to confirm the withdrawal; the entry ends with its session in any case. */
const withdrawPatience = 5_000;
/** Periods without a question after which the watch of the app counts as hung. */
const hungAfter = 30;

/** Registers the pod while its app is ready, from now until it is withdrawn or stopped. Rejects where the status port is taken. */
export async function startRegistrar(settings: RegistrarSettings, clock: Clock, log: Log): Promise<Registrar> {
  const path = memberPath(settings.root, settings.service, settings.pod.uid);
  const session = makeSession(settings, clock, log, {
    connected: () => registration.reconnected(),
    changed: () => registration.look(),
  });
  const registration = new Registration({
    path,
    data: memberData({ address: settings.address, port: settings.servicePort }, settings.pod),
    access: settings.identity ? 'authenticated' : 'everybody',
    session,
    clock,
    log,
  });
  const watch = new ReadinessWatch(readinessOptions(settings, clock), (isReady, reason) => {
    log('info', isReady ? 'the app is ready' : 'the app is not ready', { reason });
    if (!withdrawal) registration.want(isReady);
  });
  const parts = { registration, watch, session };
  let withdrawal: Promise<boolean> | undefined;
  const withdraw = (): Promise<boolean> => (withdrawal ??= withdrawFor(parts, path, clock, log));
  const server = await serveStatus(settings.statusPort, {
    isLive: () => withdrawal !== undefined || watch.silence < hungAfter * Math.max(1_000, settings.readinessPeriod),
    isSettled: () => withdrawal !== undefined || registration.isSettled,
    metrics: () => registrarMetrics(parts),
    withdraw,
  });
  session.start();
  watch.start();
  const stop = async (): Promise<boolean> => {
    const confirmed = await withdraw();
    server.close();
    server.closeAllConnections();
    return confirmed;
  };
  return { withdraw, stop };
}

function makeSession(settings: RegistrarSettings, clock: Clock, log: Log, listener: SessionListener): ZookeeperSession {
  const { servers, sessionTimeout, identity } = settings;
  const presented = identity && { scheme: identity.scheme, secret: () => secretOf(identity.file) };
  const options = { servers, timeout: sessionTimeout, identity: presented, clock, log };
  return new ZookeeperSession(options, listener);
}

const secretOf = (file: string): Buffer => Buffer.from(readFileSync(file, 'utf8').trim());

function readinessOptions(settings: RegistrarSettings, clock: Clock) {
  const { address, servicePort, readinessPath, readinessPeriod, readyAfter, unreadyAfter } = settings;
  return { address, port: servicePort, path: readinessPath, period: readinessPeriod, readyAfter, unreadyAfter, clock };
}

/** Removes the entry, an earlier registrar's too, and ends the session; the last entry of a service gives another the time to appear. */
async function withdrawFor(parts: RegistrarParts, path: string, clock: Clock, log: Log): Promise<boolean> {
  const { registration, watch, session } = parts;
  watch.stop();
  if (registration.standing === 'present')
    await successorIn(path.slice(0, path.lastIndexOf('/')), session, watch, clock);
  registration.want(false);
  await within(clock, withdrawPatience / 2, registration.idle());
  const confirmed = await session.close(withdrawPatience / 2);
  if (confirmed) log('info', 'withdrawn', { path });
  else log('warn', 'ZooKeeper did not confirm the withdrawal; the entry ends with its session', { path });
  return confirmed;
}
