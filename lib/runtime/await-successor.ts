import { completesWithin, type Clock, type Log } from '../process';
import { type ReadinessProbe } from './readiness-probe';
import { type ZookeeperSession } from './zookeeper/zookeeper-session';

/** Maximum wait in milliseconds: a new pod's registrar sees readiness up to a second after the kubelet, and an app usually serves for 5 s after SIGTERM. */
const maxWait = 3_000;
/** Milliseconds between checks. */
const interval = 100;

/** What the wait for a successor reads. */
export interface SuccessorWait {
  readonly session: ZookeeperSession;
  readonly probe: ReadinessProbe;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Resolves once the service has another entry, the app or ZooKeeper stops responding, or three seconds have passed.
 * The kubelet may mark a new pod ready, and an old one is terminated, before the new pod's registrar has checked its app.
 */
export async function awaitSuccessor(folder: string, { session, probe, clock, log }: SuccessorWait): Promise<void> {
  let isLate = false;
  const wait = async (): Promise<void> => {
    if (!(await isAlone(folder, session))) return;
    log.info('waiting for a successor', { path: folder });
    for (let failed = 0; !isLate && (await isAlone(folder, session));) {
      const failure = await probe.check();
      failed = failure === undefined ? 0 : failed + 1;
      if (failure === closedPort || failed >= probe.unreadyAfter) return;
      await new Promise<void>((resolve) => clock.after(interval, resolve));
    }
  };
  isLate = !(await completesWithin(clock, maxWait, wait()));
}

/** Reason of a check for which the app has stopped; others count as for its readiness: a busy app answers late. */
const closedPort = 'ECONNREFUSED';

const isAlone = (folder: string, session: ZookeeperSession): Promise<boolean> =>
  session.exists(folder).then(
    (found) => found !== undefined && found.children < 2,
    () => false,
  );
