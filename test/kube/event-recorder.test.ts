import fc from 'fast-check';
import { ApiError, type KubeClient, type SentObject } from '../../lib/kube';
import { EventCorrelator } from '../../lib/kube/events/event-correlator';
import { type EventObject, EventRecorder } from '../../lib/kube/events/event-recorder';
import { ManualClock } from './manual-clock';

interface StoredEvent extends SentObject {
  readonly message: string;
  readonly count: number;
}

/** Accepts events or fails; implements only what the recorder calls. */
function eventStore() {
  const events = new Map<string, StoredEvent>();
  let failures: Error[] = [];
  let requests = 0;
  const respond = <T>(act: () => T): Promise<T> => {
    requests += 1;
    const failure = failures.shift();
    return failure ? Promise.reject(failure) : Promise.resolve().then(act);
  };
  const client = {
    create: (object: StoredEvent) =>
      respond(() => {
        if (events.has(object.metadata.name)) throw new ApiError(409, 'AlreadyExists', 'already exists');
        events.set(object.metadata.name, object);
      }),
    patch: (_: unknown, { name }: { readonly name: string }, patch: object) =>
      respond(() => {
        const event = events.get(name);
        if (!event) throw new ApiError(404, 'NotFound', 'not found');
        events.set(name, { ...event, ...patch });
      }),
  } as unknown as KubeClient;
  return {
    client,
    events,
    failWith: (...errors: Error[]) => (failures = errors),
    requests: () => requests,
    summaries: () => [...events.values()].map(({ message, count }) => `${count} ${message}`),
  };
}

const object = (uid: string): EventObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: `shop-${uid}`, namespace: 'shop', uid, resourceVersion: '7' },
});
const unreachable = new ApiError(0, 'Unreachable', 'refused');

function recorderOf(store: ReturnType<typeof eventStore>, clock: ManualClock, errors: unknown[] = []): EventRecorder {
  return new EventRecorder({ client: store.client, clock, component: 'test', onError: (error) => errors.push(error) });
}

test('an event contains its object, reason and message', async () => {
  const clock = new ManualClock();
  const store = eventStore();
  const recorder = recorderOf(store, clock);
  recorder.event(object('a'), { type: 'Normal', reason: 'Created', message: 'created it' });
  await clock.advance(0);
  expect([...store.events.values()]).toMatchObject([
    {
      metadata: { name: expect.stringMatching(/^shop-a\.[0-9a-f]+$/), namespace: 'shop' },
      involvedObject: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop-a', uid: 'a', resourceVersion: '7' },
      type: 'Normal',
      reason: 'Created',
      message: 'created it',
      source: { component: 'test' },
      firstTimestamp: '1970-01-01T00:16:40Z',
      lastTimestamp: '1970-01-01T00:16:40Z',
      count: 1,
    },
  ]);
  await recorder.stop();
  expect(clock.pending).toBe(0);
});

test('equal events are counted, with a burst of 25 per object and one more every five minutes', async () => {
  const clock = new ManualClock();
  const store = eventStore();
  const recorder = recorderOf(store, clock);
  const recordFailure = (): void =>
    recorder.event(object('a'), { type: 'Warning', reason: 'Failed', message: 'no capacity' });
  for (let at = 0; at < 40; at++) recordFailure();
  await clock.advance(0);
  expect(store.summaries()).toEqual(['25 no capacity']);
  expect(store.requests()).toBe(25);
  await clock.advance(300_000);
  recordFailure();
  await clock.advance(0);
  expect(store.summaries()).toEqual(['41 no capacity']);
  recorder.event(object('b'), { type: 'Warning', reason: 'Failed', message: 'no capacity' });
  await clock.advance(0);
  expect(store.summaries()).toEqual(['41 no capacity', '1 no capacity']);
});

test('events are aggregated from the tenth different message of a reason within ten minutes', async () => {
  const clock = new ManualClock();
  const store = eventStore();
  const recorder = recorderOf(store, clock);
  const recordFailed = (message: string): void =>
    recorder.event(object('a'), { type: 'Warning', reason: 'Failed', message });
  for (let at = 1; at <= 12; at++) recordFailed(`pod ${at}`);
  recorder.event(object('a'), { type: 'Normal', reason: 'Created', message: 'other reason' });
  await clock.advance(0);
  expect(store.summaries()).toEqual([
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => `1 pod ${at}`),
    '3 (combined from similar events): pod 12',
    '1 other reason',
  ]);
  await clock.advance(600_001);
  recordFailed('pod 13');
  await clock.advance(0);
  expect(store.summaries()).toContain('1 pod 13');
});

test('events are sent exactly once when the server is available again', async () => {
  const clock = new ManualClock();
  const store = eventStore();
  const errors: unknown[] = [];
  const recorder = recorderOf(store, clock, errors);
  store.failWith(unreachable, unreachable, unreachable);
  recorder.event(object('a'), { type: 'Normal', reason: 'Created', message: 'one' });
  recorder.event(object('a'), { type: 'Normal', reason: 'Created', message: 'two' });
  await clock.advance(60_000);
  expect(store.summaries()).toEqual(['1 one', '1 two']);
  expect(errors).toEqual([]);
});

test('an event that the server deleted is created again with its count', async () => {
  const clock = new ManualClock();
  const store = eventStore();
  const recorder = recorderOf(store, clock);
  const recordFailure = (): void =>
    recorder.event(object('a'), { type: 'Warning', reason: 'Failed', message: 'no capacity' });
  recordFailure();
  recordFailure();
  await clock.advance(0);
  store.events.clear();
  recordFailure();
  await clock.advance(0);
  expect(store.summaries()).toEqual(['3 no capacity']);
});

test('a rejected event is reported to the owner of the recorder, not to its caller, and the next event is sent', async () => {
  const clock = new ManualClock();
  const store = eventStore();
  const errors: unknown[] = [];
  const recorder = recorderOf(store, clock, errors);
  store.failWith(new ApiError(403, 'Forbidden', 'no'));
  recorder.event(object('a'), { type: 'Normal', reason: 'Created', message: 'one' });
  recorder.event(object('a'), { type: 'Normal', reason: 'Created', message: 'two' });
  await clock.advance(0);
  expect(store.summaries()).toEqual(['1 two']);
  expect(errors).toMatchObject([{ status: 403 }]);
});

test('the recorder retains nothing about a deleted object, including its last event', async () => {
  const clock = new ManualClock();
  const store = eventStore();
  const recorder = recorderOf(store, clock);
  for (let at = 0; at < 100; at++) {
    recorder.event(object(`${at}`), { type: 'Normal', reason: 'Deleted', message: 'gone' });
    recorder.forget(`${at}`);
  }
  await clock.advance(0);
  expect(store.events.size).toBe(100);
  expect(recorder.size).toBe(0);
});

test('excess pending events are dropped and reported', async () => {
  const clock = new ManualClock();
  const store = eventStore();
  const errors: unknown[] = [];
  const recorder = recorderOf(store, clock, errors);
  for (let at = 0; at < 1_005; at++)
    recorder.event(object(`${at}`), { type: 'Normal', reason: 'Created', message: 'x' });
  expect(errors).toHaveLength(5);
  await clock.advance(0);
  expect(store.events.size).toBe(1_000);
});

test('stopping flushes pending events, or drops them at the deadline', async () => {
  const clock = new ManualClock();
  const store = eventStore();
  const sent = recorderOf(store, clock);
  sent.event(object('a'), { type: 'Normal', reason: 'Created', message: 'x' });
  await sent.stop();
  sent.event(object('a'), { type: 'Normal', reason: 'Created', message: 'too late' });
  expect(store.summaries()).toEqual(['1 x']);
  const stuck = recorderOf(store, clock);
  store.failWith(...Array.from({ length: 50 }, () => unreachable));
  stuck.event(object('b'), { type: 'Normal', reason: 'Created', message: 'y' });
  const stopping = stuck.stop(3_000);
  await clock.advance(3_000);
  await stopping;
  expect(clock.pending).toBe(0);
});

test('a message is truncated to 1024 bytes between characters, and a long name is truncated to fit the timestamp', async () => {
  const property = async (message: string, name: string): Promise<void> => {
    const clock = new ManualClock();
    const store = eventStore();
    const recorder = recorderOf(store, clock);
    const named = { ...object('a'), metadata: { ...object('a').metadata, name } };
    recorder.event(named, { type: 'Normal', reason: 'Created', message });
    await clock.advance(0);
    const event = [...store.events.values()][0];
    expect(Buffer.byteLength(event?.message ?? '')).toBeLessThanOrEqual(1_024);
    expect(message.startsWith(event?.message ?? '-')).toBe(true);
    expect(event?.metadata.name.length).toBeLessThanOrEqual(253);
    expect(event?.metadata.name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
  };
  const messages = fc.string({ unit: fc.constantFrom('a', 'ü', '日', '🚀'), minLength: 200, maxLength: 600 });
  const names = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,251}[a-z0-9])?$/);
  await fc.assert(fc.asyncProperty(messages, names, property), { numRuns: 50 });
});

test('memory stays bounded, whatever the messages and the number of objects', () => {
  const correlator = new EventCorrelator();
  for (let at = 0; at < 10_000; at++) {
    const result = correlator.correlate(`${at}`, { type: 'Normal', reason: 'Created', message: 'x' }, at);
    if (result.action === 'create') result.created({ name: `${at}`, first: at, count: 1 });
  }
  expect(correlator.size).toBe(4_096);
  expect(correlator.correlate('9999', { type: 'Normal', reason: 'Created', message: 'x' }, 10_000).action).toBe(
    'count',
  );
  expect(correlator.correlate('0', { type: 'Normal', reason: 'Created', message: 'x' }, 10_000).action).toBe('create');
});
