import { type Cluster } from '../../control-plane/cluster';
import { type SeededRandom } from './seeded-random';
import { type Fleet } from './fleet';
import { delay } from './retry-request';

/** Context of a fault. */
export interface ProcessFaultContext {
  readonly cluster: Cluster;
  readonly fleet: Fleet;
  readonly random: SeededRandom;
  readonly log: (line: string) => void;
}

/** Process faults; each one leaves all processes running. */
export const processFaults = {
  async 'controller killed'({ fleet, random, log }: ProcessFaultContext): Promise<void> {
    for (let times = random.integer(1, 2); times > 0; times--) {
      await delay(random.integer(200, 4000));
      log(`kill -9 ${fleet.newest.name}`);
      await fleet.replace(fleet.newest);
      if (random.is(0.5)) await fleet.waitUntilLeading(fleet.newest);
    }
  },

  async 'API server killed'({ cluster, random, log }: ProcessFaultContext): Promise<void> {
    for (let times = random.integer(1, 3); times > 0; times--) {
      await delay(random.integer(200, 3000));
      log('kill -9 kube-apiserver');
      await cluster.part('kube-apiserver').kill();
      await delay(random.integer(0, 3000));
      await cluster.part('kube-apiserver').restart();
      log('kube-apiserver responds');
    }
  },

  async 'etcd killed'({ cluster, random, log }: ProcessFaultContext): Promise<void> {
    for (let times = random.integer(1, 2); times > 0; times--) {
      await delay(random.integer(200, 3000));
      log('kill -9 etcd');
      await cluster.part('etcd').kill();
      const both = random.is(0.5);
      if (both) await cluster.part('kube-apiserver').kill();
      await delay(random.integer(0, 3000));
      await cluster.part('etcd').restart();
      if (both) await cluster.part('kube-apiserver').restart();
      await cluster.part('kube-apiserver').ready(120_000);
      log('etcd and kube-apiserver respond');
    }
  },

  /** Pauses a leader beyond its lease: on resume it must exit without a write, because another replica leads. */
  async 'leader paused'({ fleet, random, log }: ProcessFaultContext): Promise<void> {
    const previous = fleet.newest;
    // A replacement may not lead yet.
    if (!(await fleet.waitUntilLeading(previous))) return log(`${previous.name} ended before it led`);
    const successor = await fleet.add();
    if (!(await fleet.waitUntilLogged(successor, 'caches synced'))) return log('the successor ended');
    await delay(random.integer(200, 2000));
    // It still leads or has just lost the lease; the log shows which.
    previous.expectedToExit = true;
    previous.process.pause();
    log(`SIGSTOP ${previous.name}`);
    const leads = await fleet.waitUntilLeading(fleet.newest);
    log(`${fleet.newest.name} ${leads ? 'leads' : 'ended'}`);
    await delay(random.integer(500, 3000));
    previous.process.resume();
    const exitTimeout = delay(60_000).then(() => {
      throw new Error(`${previous.name} still runs although another controller leads`);
    });
    log(`SIGCONT ${previous.name}, which ended with ${await Promise.race([previous.process.ended, exitTimeout])}`);
  },

  async 'API server paused'({ cluster, random, log }: ProcessFaultContext): Promise<void> {
    await delay(random.integer(200, 2000));
    log('SIGSTOP kube-apiserver');
    cluster.part('kube-apiserver').pause();
    await delay(random.integer(3000, 12_000));
    cluster.part('kube-apiserver').resume();
    log('SIGCONT kube-apiserver');
  },

  /** Stops the leader, which releases its lease, so that another one takes over at once. */
  async 'orderly handover'({ fleet, random, log }: ProcessFaultContext): Promise<void> {
    await delay(random.integer(200, 3000));
    const previous = fleet.newest;
    await fleet.add();
    await delay(random.integer(0, 3000));
    previous.expectedToExit = true;
    log(`SIGTERM ${previous.name}, which ended with ${await previous.process.stop()}`);
  },
} as const satisfies Readonly<Record<string, (context: ProcessFaultContext) => Promise<void>>>;

/** Name of a process fault. */
export type ProcessFault = keyof typeof processFaults;
