import { EventEmitter } from 'node:events';
import { whenDue } from '../../../lib/gateway/reads/when-due';
import { ManualClock } from '../../kube/manual-clock';

class OpenResponse extends EventEmitter {
  destroyed = false;
}

let clock: ManualClock;
let response: OpenResponse;
let isOver: boolean;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const start = (): void => void whenDue(response as never, 1_000, clock).then(() => (isOver = true));

beforeEach(() => {
  [clock, response, isOver] = [new ManualClock(), new OpenResponse(), false];
});

test('resolves after the time, and leaves no listener', async () => {
  start();
  await clock.advance(999);
  await settled();
  expect(isOver).toBe(false);
  await clock.advance(1);
  await settled();
  expect(isOver).toBe(true);
  expect(response.listenerCount('close')).toBe(0);
});

test('resolves as soon as the client is gone', async () => {
  start();
  response.emit('close');
  await settled();
  expect(isOver).toBe(true);
});

test('resolves at once for a client that is gone', async () => {
  response.destroyed = true;
  start();
  await settled();
  expect(isOver).toBe(true);
});
