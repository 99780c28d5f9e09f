import { type DeploymentEvent } from '../../../lib/contract';
import { dev, service, EngineFixture, stage, type Replica } from './engine-fixture';

jest.setTimeout(60_000);

let fixture: EngineFixture;
let leader: Replica;
beforeEach(async () => {
  fixture = new EngineFixture();
  leader = await fixture.replica();
});
afterEach(() => fixture.stop());

const neverAborted = (): AbortSignal => new AbortController().signal;
const publish = (version: string) => fixture.publishing.publish('shop', version, [service('cart')], [stage()]);
async function follow(id: string, after = 0, replica = leader): Promise<DeploymentEvent[]> {
  const received: DeploymentEvent[] = [];
  for await (const event of await replica.engine.follow(dev, id, after, { signal: neverAborted() }))
    received.push(event);
  return received;
}
const numbersOf = (events: readonly DeploymentEvent[]): number[] => events.map(({ number }) => number);

test('a follow from the start receives everything once, in order, and ends with the deployment', async () => {
  const accepted = await fixture.deploy(leader, await publish('1.0.0'));
  const following = follow(accepted.id);
  await fixture.ended(leader, accepted);
  const received = await following;
  expect(numbersOf(received)).toEqual(received.map((_, index) => index + 1));
  expect(received.length).toBeGreaterThan(2);
  expect([received[0]?.message, received.at(-1)?.phase]).toEqual(['accepted', 'ready']);
});

test('a resumed follow receives later events, including those of an ended deployment', async () => {
  const accepted = await fixture.deploy(leader, await publish('1.0.0'));
  await fixture.ended(leader, accepted);
  const all = await follow(accepted.id);
  for (let after = 0; after <= all.length + 1; after++)
    expect(await follow(accepted.id, after)).toEqual(all.slice(after));
});

test('a slow reader misses nothing, and a disconnected reader is released', async () => {
  fixture.main.becomesReady = () => false;
  const accepted = await fixture.deploy(leader, await publish('1.0.0'));
  await fixture.until(() => leader.state.record(accepted.id)?.deployment.phase === 'progressing');
  const controller = new AbortController();
  const stream = await leader.engine.follow(dev, accepted.id, 0, { signal: controller.signal });
  const slow = (await leader.engine.follow(dev, accepted.id, 0, { signal: neverAborted() }))[Symbol.asyncIterator]();
  const receivedBefore: DeploymentEvent[] = [];
  const reading = (async () => {
    for await (const event of stream) receivedBefore.push(event);
  })();
  expect((await slow.next()).value).toMatchObject({ number: 1 });
  await fixture.turn(10);
  controller.abort();
  await reading;
  const before = receivedBefore.length;
  await fixture.ended(leader, accepted);
  const rest: DeploymentEvent[] = [];
  for (let next = await slow.next(); !next.done; next = await slow.next()) rest.push(next.value);
  expect(numbersOf(rest)).toEqual(rest.map((_, index) => index + 2));
  expect(rest.at(-1)?.phase).toBe('failed');
  expect(receivedBefore).toHaveLength(before);
});

test('a follow at another process continues when that process sees the write late', async () => {
  const other = await fixture.replica({ leads: false });
  other.client.hold();
  const accepted = await fixture.deploy(leader, await publish('1.0.0'));
  await fixture.ended(leader, accepted);
  await expect(follow(accepted.id, 0, other)).rejects.toMatchObject({ status: 404 });
  other.client.deliver();
  expect(await follow(accepted.id, 0, other)).toEqual(await follow(accepted.id));
});

test('streams end when their caller is no longer a member of any project', async () => {
  fixture.main.becomesReady = () => false;
  fixture.main.put('search', { members: [{ kind: 'Group', name: 'shop-developers', role: 'view' }] });
  const accepted = await fixture.deploy(leader, await publish('1.0.0'));
  await fixture.until(() => leader.state.record(accepted.id)?.deployment.phase === 'progressing');
  const ended = new Set<string>();
  const drain = async (name: string, stream: AsyncIterable<unknown>): Promise<void> => {
    for await (const _ of stream);
    ended.add(name);
  };
  const signal = neverAborted();
  const draining = [
    drain('follow', await leader.engine.follow(dev, accepted.id, 0, { signal })),
    drain('changes of shop', await leader.engine.changes(dev, { project: 'shop' }, { signal })),
    drain('changes', await leader.engine.changes(dev, {}, { signal })),
  ];
  fixture.main.put('search', { members: [{ kind: 'Group', name: 'shop-developers', role: 'edit' }] });
  await fixture.turn(250);
  expect([...ended]).toEqual([]);
  fixture.main.put('shop', { members: [] });
  await Promise.all(draining.slice(0, 2));
  expect([...ended].sort()).toEqual(['changes of shop', 'follow']);
  fixture.main.drop('search');
  await Promise.all(draining);
  expect(leader.engine.projectsOf(dev)).toEqual([]);
});
