import { type Cluster } from '../../control-plane/cluster';
import { type Chance } from './chance';
import { type Fleet } from './fleet';
import { passed } from './persist';

/** What a fault works on. */
export interface Scene {
  readonly cluster: Cluster;
  readonly fleet: Fleet;
  readonly chance: Chance;
  readonly log: (line: string) => void;
}

/** Faults of processes; each ends with everything running again. */
export const killers = {
  async 'controller killed'({ fleet, chance, log }: Scene): Promise<void> {
    for (let left = chance.whole(1, 2); left > 0; left--) {
      await passed(chance.whole(200, 4000));
      log(`kill -9 ${fleet.newest.name}`);
      await fleet.replace(fleet.newest);
      if (chance.is(0.5)) await fleet.untilLeading(fleet.newest);
    }
  },

  async 'API server killed'({ cluster, chance, log }: Scene): Promise<void> {
    for (let left = chance.whole(1, 3); left > 0; left--) {
      await passed(chance.whole(200, 3000));
      log('kill -9 kube-apiserver');
      await cluster.part('kube-apiserver').kill();
      await passed(chance.whole(0, 3000));
      await cluster.part('kube-apiserver').restart();
      log('kube-apiserver answers');
    }
  },

  async 'etcd killed'({ cluster, chance, log }: Scene): Promise<void> {
    for (let left = chance.whole(1, 2); left > 0; left--) {
      await passed(chance.whole(200, 3000));
      log('kill -9 etcd');
      await cluster.part('etcd').kill();
      const both = chance.is(0.5);
      if (both) await cluster.part('kube-apiserver').kill();
      await passed(chance.whole(0, 3000));
      await cluster.part('etcd').restart();
      if (both) await cluster.part('kube-apiserver').restart();
      await cluster.part('kube-apiserver').ready(120_000);
      log('etcd and kube-apiserver answer');
    }
  },

  /** A leader that is held beyond its lease comes back when another one leads: it writes nothing, and ends. */
  async 'leader paused'({ fleet, chance, log }: Scene): Promise<void> {
    const old = fleet.newest;
    // One that took the place of another may not lead yet.
    if (!(await fleet.untilLeading(old))) return log(`${old.name} ended before it led`);
    const successor = await fleet.add();
    if (!(await fleet.untilSays(successor, 'mirrored'))) return log('the successor ended');
    await passed(chance.whole(200, 2000));
    // What was led a moment ago is led still, or is somebody else's already: both are told by the log.
    old.meantToEnd = true;
    old.process.pause();
    log(`SIGSTOP ${old.name}`);
    const leads = await fleet.untilLeading(fleet.newest);
    log(`${fleet.newest.name} ${leads ? 'leads' : 'ended'}`);
    await passed(chance.whole(500, 3000));
    old.process.resume();
    const late = passed(60_000).then(() => {
      throw new Error(`${old.name} goes on although another one leads`);
    });
    log(`SIGCONT ${old.name}, which ended with ${await Promise.race([old.process.ended, late])}`);
  },

  async 'API server paused'({ cluster, chance, log }: Scene): Promise<void> {
    await passed(chance.whole(200, 2000));
    log('SIGSTOP kube-apiserver');
    cluster.part('kube-apiserver').pause();
    await passed(chance.whole(3000, 12_000));
    cluster.part('kube-apiserver').resume();
    log('SIGCONT kube-apiserver');
  },

  /** The leader gives its lease back, and another one goes on at once. */
  async 'orderly hand-over'({ fleet, chance, log }: Scene): Promise<void> {
    await passed(chance.whole(200, 3000));
    const old = fleet.newest;
    await fleet.add();
    await passed(chance.whole(0, 3000));
    old.meantToEnd = true;
    log(`SIGTERM ${old.name}, which ended with ${await old.process.stop()}`);
  },
} as const satisfies Readonly<Record<string, (scene: Scene) => Promise<void>>>;

/** A fault of processes by its name. */
export type Killer = keyof typeof killers;
