import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PinionCluster } from '../pinion-suite';
import { creations, floodVerdict, leadershipVerdict, restVerdict } from './audit-verdict';
import { Chance } from './chance';
import { Fleet } from './fleet';
import { weathers } from './gate';
import { type Killer, killers } from './killers';
import { Meddler } from './meddler';
import { check } from './check';
import { clear } from './clear';
import { passed } from './persist';
import { failing, population, type Places } from './population';
import { settled } from './settled';
import { look } from './sight';
import { restartsVerdict, stillness, stillnessVerdict, versionsVerdict } from './stories-verdict';
import { User } from './user';

/** How much happens in a round. */
export interface RoundSize {
  /** Workloads of each kind that are touched. */
  readonly each: number;
  /** Actions of the user, and of others. */
  readonly actions: number;
  /** Changes of the weather. */
  readonly spells: number;
}

const killerNames = Object.keys(killers) as Killer[];

/** The fault of processes that a seed brings: consecutive seeds bring all. */
export const killerOf = (seed: number): Killer => killerNames[seed % killerNames.length] as Killer;
/** How many seeds in a row bring all faults of processes. */
export const everyKiller = killerNames.length;

/** Watches go silent in rounds of one kind only: to notice that takes its time. */
const goesSilent = (seed: number): boolean => killerOf(seed) === 'orderly hand-over';

/** Seconds after which a silent watch is given up: more than there is between bookmarks, and less than usual. */
const silence = 70;

/** One round: workloads, a user, others and faults, all out of a seed; gives what is wrong afterwards. */
export async function playRound(pinion: PinionCluster, seed: number, size: RoundSize): Promise<void> {
  const chance = new Chance(seed);
  const log: string[] = [];
  const note = (line: string): void => void log.push(`${new Date().toISOString()} ${line}`);
  const { cluster } = pinion;
  // Projects of its own: what one round leaves behind is no other one's.
  const places: Places = { project: `chaos-${seed}`, infrastructure: `chaos-machines-${seed}` };
  const namespaces = [places.project, places.infrastructure];
  const user = new User(cluster.client, chance.apart('user'), places);
  const meddler = new Meddler(cluster.client, chance.apart('meddler'), user, namespaces);
  const mark = cluster.audit.mark();
  const fleet = await Fleet.start(pinion, chance.apart('fleet'), [
    '--watch-silence',
    String(silence),
    '--log-level',
    'debug',
  ]);
  try {
    await pinion.project(places.project);
    await pinion.project(places.infrastructure, { infrastructure: true });
    for (const said of population(1, 'still', places, chance.apart('still'))) await user.say(said, true);
    await settled('before the faults', () => verdict(pinion, user, namespaces));
    const before = stillness(await look(cluster.client, namespaces), user);
    for (const said of population(size.each, 'moving', places, chance.apart('moving'))) await user.say(said);
    await user.say(failing(places), true);
    const scene = { cluster, fleet, chance: chance.apart('killer'), log: note };
    await allOf([
      repeat(size.actions, chance.apart('pace'), [0, 900], () => user.act()),
      repeat(size.actions, chance.apart('others'), [0, 700], () => meddler.act()),
      weather(fleet, size.spells, chance.apart('weather'), note),
      killers[killerOf(seed)](scene),
    ]);
    if (goesSilent(seed)) {
      note('weather: silent');
      fleet.weather = 'silent';
      await repeat(4, chance.apart('unheard'), [0, 300], () => user.act());
      await repeat(4, chance.apart('unseen'), [0, 300], () => meddler.act());
    }
    note('the faults are over');
    await fleet.settle();
    await keepUp(cluster);
    await cluster.ready();
    await settled('after the faults', () => verdict(pinion, user, namespaces));
    const loud = await restVerdict(cluster.audit, 7000, 10);
    const sight = await look(cluster.client, namespaces);
    const problems = [
      ...loud,
      ...check(sight, user),
      ...stillnessVerdict(before, sight, user),
      ...versionsVerdict(sight, user, meddler.log.filter((line) => line.includes('"template"')).length),
      ...leadershipVerdict(cluster.audit, mark),
      ...restartsVerdict(sight, failing(places), creations(cluster.audit, mark, 'jobs', places.project)),
      ...floodVerdict(cluster.audit, mark, 15 * (2 * size.actions + user.stories.size)),
    ];
    if (problems.length > 0) throw new Error(problems.join('\n'));
    await clear(pinion, user, namespaces, note);
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    const story = [said, 'round', ...log, 'user', ...user.log, 'others', ...meddler.log].join('\n');
    const file = join(cluster.folder, 'logs', `round-${seed}.log`);
    writeFileSync(file, story);
    const message = `round ${seed} (${killerOf(seed)}): repeat with PINION_SEED=${seed}; told in ${file}\n${said}`;
    process.stderr.write(`${message}\n`);
    throw new Error(message, { cause });
  } finally {
    await fleet.stop();
  }
}

/** Waits for all, whatever becomes of one, and throws what the first of them threw. */
async function allOf(parts: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(parts);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function repeat(
  times: number,
  chance: Chance,
  [least, most]: readonly [number, number],
  act: () => Promise<void>,
): Promise<void> {
  for (let time = 0; time < times; time++) {
    await act();
    await passed(chance.whole(least, most));
  }
}

async function weather(fleet: Fleet, spells: number, chance: Chance, note: (line: string) => void): Promise<void> {
  for (let spell = 0; spell < spells; spell++) {
    const next = chance.of(weathers);
    note(`weather: ${next}`);
    fleet.weather = next;
    await passed(chance.whole(1500, 5000));
    fleet.weather = 'clear';
    await passed(chance.whole(500, 1500));
  }
}

async function verdict({ cluster }: PinionCluster, user: User, namespaces: readonly string[]): Promise<string[]> {
  await keepUp(cluster);
  return check(await look(cluster.client, namespaces), user);
}

/** Starts again what ended by itself, as its kubelet would: kube-scheduler does where pods contradict its cache. */
async function keepUp(cluster: PinionCluster['cluster']): Promise<void> {
  for (const name of ['kube-controller-manager', 'kube-scheduler', 'kwok'] as const) {
    const part = cluster.part(name);
    if (part.isMeantToRun && part.ending !== undefined) await part.restart();
  }
}
