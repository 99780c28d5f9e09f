import { type Clock } from '../kube';
import { type ReadinessWatch } from './readiness-watch';
import { within } from './within';
import { type ZookeeperSession } from './zookeeper-session';

/** A new pod's app is seen to be ready at the next question, up to a second after the kubelet saw it; within the 5 s that an app usually serves on. */
const longest = 3_000;
/** Milliseconds between two looks. */
const pace = 100;

/**
 * Resolves once a folder has more than one entry, the app no longer answers, ZooKeeper does not, or three seconds are over.
 * The kubelet calls a pod ready, and an old one is ended for it, before the new one's registrar has asked its app.
 */
export async function successorIn(
  folder: string,
  session: ZookeeperSession,
  watch: ReadinessWatch,
  clock: Clock,
): Promise<void> {
  let isLate = false;
  const looking = async (): Promise<void> => {
    while (!isLate && (await isAlone(folder, session)) && (await watch.answersNow()))
      await new Promise<void>((resolve) => clock.after(pace, resolve));
  };
  isLate = !(await within(clock, longest, looking()));
}

const isAlone = (folder: string, session: ZookeeperSession): Promise<boolean> =>
  session.exists(folder).then(
    (found) => found !== undefined && found.children < 2,
    () => false,
  );
