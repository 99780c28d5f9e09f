import { type Change } from '../../../lib/contract';
import { type SentObject } from '../../../lib/kube';
import { maxUnreadChanges } from '../../../lib/submission/engine/change-stream';
import { dev, EngineFixture, makeCaller, members, project, service, type Replica } from './engine-fixture';

let fixture: EngineFixture;
let leader: Replica;
beforeEach(async () => {
  fixture = new EngineFixture();
  leader = await fixture.replica();
});
afterEach(() => fixture.stop());

const other = makeCaller('leo@example.com', ...dev.groups);
async function open(caller = dev): Promise<AsyncIterator<Change>> {
  const { signal } = new AbortController();
  return (await leader.engine.changes(caller, {}, { signal }))[Symbol.asyncIterator]();
}
const change = (index: number): Promise<unknown> =>
  fixture.main.apply(project, service(`service-${index}`) as unknown as SentObject);
const changeWorkloads = async (count: number): Promise<void> => {
  for (let index = 0; index < count; index++) await change(index);
};

test('a reader of a change stream that is slow gets all changes up to the limit', async () => {
  const reader = await open();
  await changeWorkloads(maxUnreadChanges);
  for (let index = 0; index < maxUnreadChanges; index++)
    expect((await reader.next()).value).toMatchObject({ workload: { name: `service-${index}` } });
});

test('a change stream with too many unread changes drops them and ends, so that its reader lists again', async () => {
  const [slow, quick] = [await open(), await open(other)];
  const received: Change[] = [];
  const reading = (async () => {
    while (received.length <= maxUnreadChanges) received.push((await quick.next()).value as Change);
  })();
  await changeWorkloads(maxUnreadChanges + 1);
  await reading;
  expect(received).toHaveLength(maxUnreadChanges + 1);
  expect(await slow.next()).toEqual({ done: true, value: undefined });
  const reconnected = await open();
  await change(0);
  expect((await reconnected.next()).value).toMatchObject({ workload: { name: 'service-0' } });
});

test('all change streams share the view of a workload, which slow readers retain', async () => {
  fixture.main.put(project, { members: [...members, { kind: 'User', name: other.subject, role: 'view' }] });
  const [first, second] = [await open(), await open(other)];
  await changeWorkloads(1);
  const [{ value: one }, { value: two }] = [await first.next(), await second.next()];
  expect(one).toMatchObject({ type: 'workload' });
  expect(two).toBe(one);
});
