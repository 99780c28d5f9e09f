import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PinionCluster } from '../pinion-suite';
import { countCreations, checkEventCount, checkLeadership, checkIdleRequests } from './check-audit-log';
import { SeededRandom } from './seeded-random';
import { Fleet } from './fleet';
import { networkFaults } from './fault-proxy';
import { type ProcessFault, processFaults } from './process-faults';
import { InterferingClient } from './interfering-client';
import { KwokWatchdog } from './kwok-watchdog';
import { findProblems } from './find-problems';
import { deleteWorkloads } from './delete-workloads';
import { delay } from './retry-request';
import { generateWorkloads, type RoundProjects } from './random-workloads';
import { checkSteadyJobSets, steadyJobSets } from './steady-job-sets';
import { waitUntilHealthy } from './wait-until-healthy';
import { takeClusterSnapshot } from './cluster-snapshot';
import { untouchedPods, checkUntouchedPods, checkReplicaSets } from './check-workloads';
import { User } from './user';

/** Size of a round. */
export interface RoundSize {
  /** Changing workloads of each kind. */
  readonly each: number;
  /** Actions of the user and of other clients. */
  readonly actions: number;
  /** Network faults. */
  readonly networkFaults: number;
}

const processFaultNames = Object.keys(processFaults) as ProcessFault[];

/** Returns the process fault of a seed: consecutive seeds cover all faults. */
export const processFaultOf = (seed: number): ProcessFault =>
  processFaultNames[seed % processFaultNames.length] as ProcessFault;
/** Number of consecutive seeds that cover all process faults. */
export const processFaultCount = processFaultNames.length;

/** Returns whether watches go silent: only in rounds of one fault, because detection takes minutes. */
const silencesWatches = (seed: number): boolean => processFaultOf(seed) === 'orderly handover';

/** Seconds after which a silent watch is abandoned: longer than the bookmark interval, shorter than the default. */
const watchIdleSeconds = 70;

/** Prefixes of the job sets that run before the faults and during them. */
const steadyPrefixes = ['before', 'during'] as const;

/** Runs one round of workloads, user actions, other clients and faults from a seed; throws the problems afterwards. */
export async function runRound(pinion: PinionCluster, seed: number, size: RoundSize): Promise<void> {
  const random = new SeededRandom(seed);
  const log: string[] = [];
  const note = (line: string): void => void log.push(`${new Date().toISOString()} ${line}`);
  const { cluster } = pinion;
  // Each round has its own projects, so that leftovers do not affect the next one.
  const projects: RoundProjects = { project: `chaos-${seed}`, infrastructure: `chaos-machines-${seed}` };
  const namespaces = [projects.project, projects.infrastructure];
  const user = new User(cluster.client, random.fork('user'), projects);
  const otherClient = new InterferingClient(cluster.client, random.fork('interfering'), user, namespaces);
  const watchdog = new KwokWatchdog(cluster, note);
  const mark = cluster.audit.mark();
  const fleet = await Fleet.start(pinion, random.fork('fleet'), [
    '--watch-silence',
    String(watchIdleSeconds),
    '--log-level',
    'debug',
  ]);
  try {
    await pinion.project(projects.project);
    await pinion.project(projects.infrastructure, { infrastructure: true });
    for (const workload of generateWorkloads(1, 'untouched', projects, random.fork('untouched')))
      await user.apply(workload, true);
    for (const jobSet of steadyJobSets(steadyPrefixes[0], projects)) await user.apply(jobSet, true);
    await waitUntilHealthy('before the faults', () => currentProblems(pinion, user, namespaces, watchdog));
    const before = untouchedPods(await takeClusterSnapshot(cluster.client, namespaces), user);
    for (const workload of generateWorkloads(size.each, 'changing', projects, random.fork('changing')))
      await user.apply(workload);
    for (const jobSet of steadyJobSets(steadyPrefixes[1], projects)) await user.apply(jobSet, true);
    const context = { cluster, fleet, random: random.fork('killer'), log: note };
    await runAll([
      repeat(size.actions, random.fork('pace'), [0, 900], () => user.act()),
      repeat(size.actions, random.fork('others'), [0, 700], () => otherClient.act()),
      injectNetworkFaults(fleet, size.networkFaults, random.fork('network'), note),
      processFaults[processFaultOf(seed)](context),
    ]);
    if (silencesWatches(seed)) {
      note('network: silent');
      fleet.network = 'silent';
      await repeat(4, random.fork('silent user'), [0, 300], () => user.act());
      await repeat(4, random.fork('silent others'), [0, 300], () => otherClient.act());
    }
    note('all faults ended');
    await fleet.settle();
    await restartExited(cluster);
    await cluster.ready();
    // kwok gives up a pod whose change a starting API server refuses (403, "not yet ready"); it takes it up in a new list.
    await cluster.part('kwok').restart();
    await cluster.ready();
    await waitUntilHealthy('after the faults', () => currentProblems(pinion, user, namespaces, watchdog));
    const unexpected = await checkIdleRequests(cluster.audit, 7000, 10);
    const snapshot = await takeClusterSnapshot(cluster.client, namespaces);
    const problems = [
      ...unexpected,
      ...findProblems(snapshot, user),
      ...checkUntouchedPods(before, snapshot, user),
      ...checkReplicaSets(snapshot, user, otherClient.log.filter((line) => line.includes('"template"')).length),
      ...checkLeadership(cluster.audit, mark),
      ...checkSteadyJobSets(
        snapshot,
        steadyPrefixes,
        projects,
        countCreations(cluster.audit, mark, 'jobs', projects.project),
      ),
      ...checkEventCount(cluster.audit, mark, 15 * (2 * size.actions + user.workloads.size)),
    ];
    if (problems.length > 0) throw new Error(problems.join('\n'));
    await deleteWorkloads(pinion, user, namespaces, note);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const report = [reason, 'round', ...log, 'user', ...user.log, 'others', ...otherClient.log].join('\n');
    const file = join(cluster.folder, 'logs', `round-${seed}.log`);
    writeFileSync(file, report);
    const message = `round ${seed} (${processFaultOf(seed)}): repeat with PINION_SEED=${seed}; log in ${file}\n${reason}`;
    process.stderr.write(`${message}\n`);
    throw new Error(message, { cause });
  } finally {
    await fleet.stop();
  }
}

/** Waits for all promises, even if one fails, and throws the first error. */
async function runAll(parts: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(parts);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function repeat(
  times: number,
  random: SeededRandom,
  [min, max]: readonly [number, number],
  action: () => Promise<void>,
): Promise<void> {
  for (let time = 0; time < times; time++) {
    await action();
    await delay(random.integer(min, max));
  }
}

async function injectNetworkFaults(
  fleet: Fleet,
  count: number,
  random: SeededRandom,
  note: (line: string) => void,
): Promise<void> {
  for (let index = 0; index < count; index++) {
    const next = random.of(networkFaults);
    note(`network: ${next}`);
    fleet.network = next;
    await delay(random.integer(1500, 5000));
    fleet.network = 'clear';
    await delay(random.integer(500, 1500));
  }
}

async function currentProblems(
  { cluster }: PinionCluster,
  user: User,
  namespaces: readonly string[],
  watchdog: KwokWatchdog,
): Promise<string[]> {
  await restartExited(cluster);
  const snapshot = await takeClusterSnapshot(cluster.client, namespaces);
  await watchdog.check(snapshot.pods);
  return findProblems(snapshot, user);
}

/** Restarts components that exited, as a kubelet does: kube-scheduler exits when pods contradict its cache. */
async function restartExited(cluster: PinionCluster['cluster']): Promise<void> {
  for (const name of ['kube-controller-manager', 'kube-scheduler', 'kwok'] as const) {
    const part = cluster.part(name);
    if (part.isMeantToRun && part.ending !== undefined) await part.restart();
  }
}
