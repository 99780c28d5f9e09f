import { setTimeout as delay } from 'node:timers/promises';
import { type AuditEvent, type AuditMark } from '../../control-plane/audit';
import { controllerUser } from '../pinion-suite';
import { type RolloutFleet, rolloutPlatform, rolloutProfile, type RolloutStatus, wholeWaves } from '../rollout-fleet';
import { waitUntilIdle } from '../state-snapshot';
import { changesOf, factsOfHistory, markHistory, revisionWrites } from './object-history';

/** Seconds that the first wave soaks. */
const soak = 2;
const policy = { ...wholeWaves, waves: [{ name: 'first', projects: ['early'], soak: `${soak}s` }] };
let changes = 0;

/** Defines tests of changes without a fault, one after the other, of their writes, and of the rest after them. */
export function defineGoodChanges(fleet: RolloutFleet, count: number): void {
  const { pinion } = fleet;
  const since = (mark: AuditMark) => pinion().cluster.audit.since(mark, { user: controllerUser });

  test(
    `${count} changes in a row pass without a halt, each wave after the soak of the former, with two writes of bookkeeping for a workload`,
    async () => {
      const mark = pinion().cluster.audit.mark();
      const { revision } = await markHistory(pinion());
      const names: string[] = [];
      for (let number = 1; number <= count; number++) names.push(await changeOnce(fleet));

      const requests = since(mark);
      // No rollout of a halt or of the way back.
      const created = requests.filter(
        ({ verb, objectRef }) => verb === 'create' && objectRef?.resource === 'platformrollouts',
      );
      expect(created.map(({ objectRef }) => objectRef?.name)).toEqual(names);
      expect(haltsOf(await fleet.kubectl.run('get', 'events', '-A', '-o', 'json'), names)).toEqual([]);
      const ledger = statusWrites(requests, /^platformrollouts$/);
      const moved = (await revisionWrites(pinion(), revision)) / fleet.services.length / count;
      expect(ledger).toBeGreaterThanOrEqual(count * 2);
      expect(ledger / fleet.moved.length / count + moved).toBeLessThanOrEqual(2);
    },
    60_000 + count * 60_000,
  );

  test('after a rollout the controller sends no request', async () => {
    await waitUntilIdle(pinion(), pinion().controller);
    const mark = pinion().cluster.audit.mark();
    await delay(20_000);
    const requests = since(mark).filter(({ verb, objectRef }) => verb !== 'watch' && objectRef?.resource !== 'leases');
    expect(requests.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
  }, 180_000);
}

/** Rolls a new profile out, checks the order of its waves, and returns the name of the rollout. */
async function changeOnce(fleet: RolloutFleet): Promise<string> {
  const profile = nextProfile();
  await fleet.apply(profile);
  const mark = await markHistory(fleet.pinion());
  const [name, status] = await fleet.complete(rolloutPlatform(profile.metadata.name, { rollouts: policy }));
  expect(status).toMatchObject({ completed: fleet.moved.length });
  expect(status).not.toHaveProperty('failed');
  expectSoaked(status);
  const { changed } = factsOfHistory(await changesOf(fleet.pinion(), mark));
  expect(changed.toSorted()).toEqual(fleet.movedKeys);
  expect(changed.slice(0, 2).toSorted()).toEqual(['early/cart', 'early/login']);
  return name;
}

function nextProfile() {
  changes += 1;
  const tag = String(2000 + changes);
  return rolloutProfile(`good-${tag}`, tag);
}

/** Checks that no wave started before the former one had been ready for its soak. */
function expectSoaked({ waves = [] }: RolloutStatus): void {
  const [first, rest, daemons] = waves;
  expect(waves.map(({ name, phase }) => [name, phase])).toEqual(
    ['first', 'rest', 'daemons'].map((name) => [name, 'Completed']),
  );
  const soaked = (wave: typeof first, next: typeof first) =>
    (Date.parse(next?.started ?? '') - Date.parse(wave?.changed ?? '')) / 1000;
  expect(soaked(first, rest)).toBeGreaterThanOrEqual(soak);
  expect(soaked(rest, daemons)).toBeGreaterThanOrEqual(1);
}

/** Returns the reasons of events of rollouts that stopped, or stopped for a while. */
function haltsOf(text: string, rollouts: readonly string[]): readonly string[] {
  const { items } = JSON.parse(text) as {
    readonly items: readonly { readonly reason: string; readonly involvedObject: { readonly name: string } }[];
  };
  const ofRollouts = items.filter(({ involvedObject }) => rollouts.includes(involvedObject.name));
  expect(ofRollouts.length).toBeGreaterThan(0);
  return ofRollouts.map(({ reason }) => reason).filter((reason) => /Paused|Failed|Aborted/.test(reason));
}

/** Returns the number of writes of the status of resources. */
const statusWrites = (events: readonly AuditEvent[], resources: RegExp): number =>
  events.filter(
    ({ verb, objectRef: { resource = '', subresource } = {} }) =>
      subresource === 'status' && verb !== 'get' && resources.test(resource),
  ).length;
