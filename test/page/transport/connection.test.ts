import { type ConnectionState, keepConnected } from '../../../lib/page/transport/connection';
import { type OpenedStream, type StreamEvent } from '../../../lib/page/transport/event-stream';

async function* streamOf(events: readonly StreamEvent[], breaks = false): AsyncGenerator<StreamEvent> {
  yield* events;
  if (breaks) throw new Error('the network is down');
}
const opened = (events: readonly StreamEvent[], breaks = false): OpenedStream => ({
  ok: true,
  events: streamOf(events, breaks),
});
const failing = (status: number): OpenedStream => ({
  ok: false,
  failed: { kind: 'rejected', failure: { type: 'about:blank', title: 'No', status } },
});
const unreachable: OpenedStream = { ok: false, failed: { kind: 'unreachable' } };

/** Keeps a stream open with one response for each attempt; ends when no response is left. */
async function run(responses: readonly OpenedStream[]) {
  const states: ConnectionState[] = [];
  const requestedIds: (string | undefined)[] = [];
  const received: string[] = [];
  const delays: number[] = [];
  const abort = new AbortController();
  await keepConnected({
    open: async (lastEventId) => {
      requestedIds.push(lastEventId);
      return responses[requestedIds.length - 1] ?? opened([]);
    },
    onState: (state) => void states.push(state),
    onEvent: (data) => void received.push(data),
    isFinished: () => requestedIds.length >= responses.length,
    wait: async (milliseconds) => void delays.push(milliseconds),
    random: () => 1,
    signal: abort.signal,
  });
  return { states, requestedIds, received, delays };
}

test('an interrupted stream resumes after the last received event', async () => {
  const { states, requestedIds, received } = await run([
    opened([{ id: '1', data: 'a' }], true),
    unreachable,
    opened([{ id: '2', data: 'b' }]),
  ]);
  expect(requestedIds).toEqual([undefined, '1', '1']);
  expect(received).toEqual(['a', 'b']);
  expect(states).toEqual(['connecting', 'live', 'reconnecting', 'reconnecting', 'live', 'ended']);
});

test('an expired session is reported, and requests stop', async () => {
  const { states, requestedIds } = await run([{ ok: false, failed: { kind: 'signed-out' } }, opened([])]);
  expect(states).toEqual(['connecting', 'signed-out']);
  expect(requestedIds).toHaveLength(1);
});

test('a permanent rejection is not retried; server errors are, with exponential back-off', async () => {
  expect((await run([failing(404), opened([])])).states).toEqual(['connecting', 'ended']);
  const { delays } = await run([
    failing(500),
    failing(503),
    unreachable,
    unreachable,
    unreachable,
    unreachable,
    opened([]),
  ]);
  expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000]);
});

test('a stream that delivered events is reopened soon; one that closes at once is reopened with increasing delays', async () => {
  const { delays } = await run([opened([]), opened([]), opened([{ data: 'a' }]), opened([])]);
  expect(delays).toEqual([1000, 2000, 1000]);
});
