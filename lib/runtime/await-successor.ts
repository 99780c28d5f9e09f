import { completesWithin, type Clock } from '../process';
import { type ReadinessProbe } from './readiness-probe';
import { type ZookeeperSession } from './zookeeper/zookeeper-session';

/** Maximum wait in milliseconds: a new pod's registrar sees readiness up to a second after the kubelet, and an app usually serves for 5 s after SIGTERM. */
const maxWait = 3_000;
/** Milliseconds between checks. */
const interval = 100;

/**
 * Resolves once the service has another entry, the app or ZooKeeper stops responding, or three seconds have passed.
 * The kubelet may mark a new pod ready, and an old one is terminated, before the new pod's registrar has checked its app.
 */
export async function awaitSuccessor(
  folder: string,
  session: ZookeeperSession,
  probe: ReadinessProbe,
  clock: Clock,
): Promise<void> {
  let isLate = false;
  const wait = async (): Promise<void> => {
    while (!isLate && (await isAlone(folder, session)) && (await probe.check()))
      await new Promise<void>((resolve) => clock.after(interval, resolve));
  };
  isLate = !(await completesWithin(clock, maxWait, wait()));
}

const isAlone = (folder: string, session: ZookeeperSession): Promise<boolean> =>
  session.exists(folder).then(
    (found) => found !== undefined && found.children < 2,
    () => false,
  );
