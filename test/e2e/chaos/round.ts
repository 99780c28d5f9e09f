import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PinionCluster } from '../pinion-suite';
import { creations, floodVerdict, leadershipVerdict, restVerdict } from './audit-verdict';
import { Chance } from './chance';
import { Fleet } from './fleet';
import { networkFaults } from './gate';
import { type Killer, killers } from './killers';
import { Meddler } from './meddler';
import { check } from './check';
import { clear } from './clear';
import { delay } from './persist';
import { failing, population, type RoundProjects } from './population';
import { settled } from './settled';
import { look } from './sight';
import { restartsVerdict, untouchedPods, untouchedVerdict, versionsVerdict } from './stories-verdict';
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

const killerNames = Object.keys(killers) as Killer[];

/** Returns the process fault of a seed: consecutive seeds cover all faults. */
export const killerOf = (seed: number): Killer => killerNames[seed % killerNames.length] as Killer;
/** Number of consecutive seeds that cover all process faults. */
export const killerCount = killerNames.length;

/** Returns whether watches go silent: only in rounds of one fault, because detection takes long. */
const goesSilent = (seed: number): boolean => killerOf(seed) === 'orderly handover';

/** Seconds after which a silent watch is abandoned: longer than the bookmark interval, shorter than the default. */
const silence = 70;

/** Runs one round of workloads, user actions, other clients and faults from a seed; throws the problems afterwards. */
export async function runRound(pinion: PinionCluster, seed: number, size: RoundSize): Promise<void> {
  const chance = new Chance(seed);
  const log: string[] = [];
  const note = (line: string): void => void log.push(`${new Date().toISOString()} ${line}`);
  const { cluster } = pinion;
  // Each round has its own projects, so that leftovers do not affect the next one.
  const projects: RoundProjects = { project: `chaos-${seed}`, infrastructure: `chaos-machines-${seed}` };
  const namespaces = [projects.project, projects.infrastructure];
  const user = new User(cluster.client, chance.fork('user'), projects);
  const meddler = new Meddler(cluster.client, chance.fork('meddler'), user, namespaces);
  const mark = cluster.audit.mark();
  const fleet = await Fleet.start(pinion, chance.fork('fleet'), [
    '--watch-silence',
    String(silence),
    '--log-level',
    'debug',
  ]);
  try {
    await pinion.project(projects.project);
    await pinion.project(projects.infrastructure, { infrastructure: true });
    for (const workload of population(1, 'untouched', projects, chance.fork('untouched')))
      await user.apply(workload, true);
    await settled('before the faults', () => verdict(pinion, user, namespaces));
    const before = untouchedPods(await look(cluster.client, namespaces), user);
    for (const workload of population(size.each, 'changing', projects, chance.fork('changing')))
      await user.apply(workload);
    await user.apply(failing(projects), true);
    const scene = { cluster, fleet, chance: chance.fork('killer'), log: note };
    await allOf([
      repeat(size.actions, chance.fork('pace'), [0, 900], () => user.act()),
      repeat(size.actions, chance.fork('others'), [0, 700], () => meddler.act()),
      injectNetworkFaults(fleet, size.networkFaults, chance.fork('network'), note),
      killers[killerOf(seed)](scene),
    ]);
    if (goesSilent(seed)) {
      note('network: silent');
      fleet.network = 'silent';
      await repeat(4, chance.fork('silent user'), [0, 300], () => user.act());
      await repeat(4, chance.fork('silent others'), [0, 300], () => meddler.act());
    }
    note('the faults are over');
    await fleet.settle();
    await restartExited(cluster);
    await cluster.ready();
    await settled('after the faults', () => verdict(pinion, user, namespaces));
    const unexpected = await restVerdict(cluster.audit, 7000, 10);
    const sight = await look(cluster.client, namespaces);
    const problems = [
      ...unexpected,
      ...check(sight, user),
      ...untouchedVerdict(before, sight, user),
      ...versionsVerdict(sight, user, meddler.log.filter((line) => line.includes('"template"')).length),
      ...leadershipVerdict(cluster.audit, mark),
      ...restartsVerdict(sight, failing(projects), creations(cluster.audit, mark, 'jobs', projects.project)),
      ...floodVerdict(cluster.audit, mark, 15 * (2 * size.actions + user.stories.size)),
    ];
    if (problems.length > 0) throw new Error(problems.join('\n'));
    await clear(pinion, user, namespaces, note);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const report = [reason, 'round', ...log, 'user', ...user.log, 'others', ...meddler.log].join('\n');
    const file = join(cluster.folder, 'logs', `round-${seed}.log`);
    writeFileSync(file, report);
    const message = `round ${seed} (${killerOf(seed)}): repeat with PINION_SEED=${seed}; log in ${file}\n${reason}`;
    process.stderr.write(`${message}\n`);
    throw new Error(message, { cause });
  } finally {
    await fleet.stop();
  }
}

/** Waits for all parts, even if one fails, and throws the first error. */
async function allOf(parts: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(parts);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function repeat(
  times: number,
  chance: Chance,
  [min, max]: readonly [number, number],
  act: () => Promise<void>,
): Promise<void> {
  for (let time = 0; time < times; time++) {
    await act();
    await delay(chance.integer(min, max));
  }
}

async function injectNetworkFaults(
  fleet: Fleet,
  count: number,
  chance: Chance,
  note: (line: string) => void,
): Promise<void> {
  for (let index = 0; index < count; index++) {
    const next = chance.of(networkFaults);
    note(`network: ${next}`);
    fleet.network = next;
    await delay(chance.integer(1500, 5000));
    fleet.network = 'clear';
    await delay(chance.integer(500, 1500));
  }
}

async function verdict({ cluster }: PinionCluster, user: User, namespaces: readonly string[]): Promise<string[]> {
  await restartExited(cluster);
  return check(await look(cluster.client, namespaces), user);
}

/** Restarts components that exited, as a kubelet does: kube-scheduler exits when pods contradict its cache. */
async function restartExited(cluster: PinionCluster['cluster']): Promise<void> {
  for (const name of ['kube-controller-manager', 'kube-scheduler', 'kwok'] as const) {
    const part = cluster.part(name);
    if (part.isMeantToRun && part.ending !== undefined) await part.restart();
  }
}
