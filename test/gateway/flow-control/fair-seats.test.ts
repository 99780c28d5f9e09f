import { FairSeats } from '../../../lib/gateway/flow-control/fair-seats';
import { ManualClock, settled } from '../../kube/manual-clock';

const clock = new ManualClock();
const seatsOf = (seats: number, maxWaiting = 1_000): FairSeats =>
  new FairSeats({ clock, seats, maxWaiting, maxWait: 15_000 });

/** Sends requests; each releases its seats when the next one is to be served. Returns the order in which they are served. */
async function served(
  seats: FairSeats,
  requests: readonly (readonly [flow: string, seats: number])[],
): Promise<string[]> {
  const order: string[] = [];
  const releases: (() => void)[] = [];
  for (const [flow, count] of requests)
    void seats.acquire(flow.split('/'), count).then((release) => {
      order.push(flow);
      if (release) releases.push(release);
    });
  await settled();
  for (let release = releases.shift(); release; release = releases.shift()) {
    release();
    await settled();
  }
  return order;
}

const repeated = (flow: string, count: number, seats = 1): (readonly [string, number])[] =>
  Array.from({ length: count }, () => [flow, seats] as const);

test('a project with few requests is served between those of one with many', async () => {
  const order = await served(seatsOf(1), [...repeated('noisy/a', 50), ...repeated('quiet/b', 3)]);
  expect(order).toHaveLength(53);
  expect(order.slice(0, 7).filter((flow) => flow === 'quiet/b')).toHaveLength(3);
});

test('accounts share what their project gets, however many there are', async () => {
  const accounts = Array.from({ length: 20 }, (_, index) => repeated(`large/${index}`, 5)).flat();
  const order = await served(seatsOf(1), [...accounts, ...repeated('small/only', 20)]);
  const share = order.slice(0, 40).filter((flow) => flow === 'small/only').length;
  expect(share).toBeGreaterThanOrEqual(19);
  // Nor does one of the accounts wait for all requests of another.
  expect(new Set(order.slice(0, 42)).size).toBe(21);
});

test('a request counts by its seats', async () => {
  const order = await served(seatsOf(10), [...repeated('wide/a', 20, 10), ...repeated('narrow/b', 100, 1)]);
  const last = order.lastIndexOf('narrow/b');
  expect(order.slice(0, last + 1).filter((flow) => flow === 'wide/a').length).toBeLessThanOrEqual(12);
});

test('one that needs many seats is served though others keep coming', async () => {
  const seats = seatsOf(4);
  const first = await seats.acquire(['a'], 3);
  let isServed = false;
  void seats.acquire(['wide'], 4).then(() => (isServed = true));
  const others = repeated('narrow', 5).map(([flow]) => seats.acquire([flow], 1));
  await settled();
  expect([seats.inUse, seats.waiting, isServed]).toEqual([3, 6, false]);
  first?.();
  await settled();
  expect([seats.inUse, isServed]).toEqual([4, true]);
  expect(others).toHaveLength(5);
});

test('a flow that was idle does not get what it did not use', async () => {
  const seats = seatsOf(1);
  const long = await seats.acquire(['idle'], 1);
  await served(seats, []);
  void long;
  const order: string[] = [];
  const pending = [...repeated('busy', 10), ...repeated('idle', 10)].map(([flow]) =>
    seats.acquire([flow], 1).then((release) => {
      order.push(flow);
      release?.();
    }),
  );
  long?.();
  await Promise.all(pending);
  expect(order.slice(0, 10).filter((flow) => flow === 'idle').length).toBeLessThanOrEqual(6);
});

test('rejects a request that waits for too long, and one beyond those that may wait', async () => {
  const seats = seatsOf(1, 1);
  const release = await seats.acquire(['a'], 1);
  const waits = seats.acquire(['a'], 1);
  await expect(seats.acquire(['b'], 1)).resolves.toBeUndefined();
  await clock.advance(15_000);
  await expect(waits).resolves.toBeUndefined();
  expect([seats.inUse, seats.waiting]).toEqual([1, 0]);
  release?.();
  release?.();
  expect(seats.inUse).toBe(0);
});
