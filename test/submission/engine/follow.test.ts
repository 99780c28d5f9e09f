import { type DeploymentEvent } from '../../../lib/contract';
import { dev, service, Setting, stage, type Replica } from './setting';

jest.setTimeout(60_000);

let setting: Setting;
let leader: Replica;
beforeEach(async () => {
  setting = new Setting();
  leader = await setting.replica();
});
afterEach(() => setting.stop());

const never = (): AbortSignal => new AbortController().signal;
const publish = (version: string) => setting.publishing.publish('shop', version, [service('cart')], [stage()]);
async function follow(id: string, after = 0, replica = leader): Promise<DeploymentEvent[]> {
  const heard: DeploymentEvent[] = [];
  for await (const event of await replica.engine.follow(dev, id, after, { signal: never() })) heard.push(event);
  return heard;
}
const numbersOf = (events: readonly DeploymentEvent[]): number[] => events.map(({ number }) => number);

test('a follow from the start receives everything once, in order, and ends with the deployment', async () => {
  const accepted = await setting.deploy(leader, await publish('1.0.0'));
  const following = follow(accepted.id);
  await setting.ended(leader, accepted);
  const heard = await following;
  expect(numbersOf(heard)).toEqual(heard.map((_, index) => index + 1));
  expect(heard.length).toBeGreaterThan(2);
  expect([heard[0]?.message, heard.at(-1)?.phase]).toEqual(['accepted', 'ready']);
});

test('a resumed follow receives later events, also of an ended deployment', async () => {
  const accepted = await setting.deploy(leader, await publish('1.0.0'));
  await setting.ended(leader, accepted);
  const all = await follow(accepted.id);
  for (let after = 0; after <= all.length + 1; after++)
    expect(await follow(accepted.id, after)).toEqual(all.slice(after));
});

test('a slow reader misses nothing, and a disconnected reader is released', async () => {
  setting.main.becomesReady = () => false;
  const accepted = await setting.deploy(leader, await publish('1.0.0'));
  await setting.until(() => leader.state.record(accepted.id)?.deployment.phase === 'progressing');
  const leaving = new AbortController();
  const stream = await leader.engine.follow(dev, accepted.id, 0, { signal: leaving.signal });
  const slow = (await leader.engine.follow(dev, accepted.id, 0, { signal: never() }))[Symbol.asyncIterator]();
  const left: DeploymentEvent[] = [];
  const reading = (async () => {
    for await (const event of stream) left.push(event);
  })();
  expect((await slow.next()).value).toMatchObject({ number: 1 });
  await setting.turn(10);
  leaving.abort();
  await reading;
  const before = left.length;
  await setting.ended(leader, accepted);
  const rest: DeploymentEvent[] = [];
  for (let next = await slow.next(); !next.done; next = await slow.next()) rest.push(next.value);
  expect(numbersOf(rest)).toEqual(rest.map((_, index) => index + 2));
  expect(rest.at(-1)?.phase).toBe('failed');
  expect(left).toHaveLength(before);
});

test('a follow at another process continues when that process sees the write late', async () => {
  const other = await setting.replica({ leads: false });
  other.client.hold();
  const accepted = await setting.deploy(leader, await publish('1.0.0'));
  await setting.ended(leader, accepted);
  await expect(follow(accepted.id, 0, other)).rejects.toMatchObject({ status: 404 });
  other.client.deliver();
  expect(await follow(accepted.id, 0, other)).toEqual(await follow(accepted.id));
});
