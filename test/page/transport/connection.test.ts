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
const away: OpenedStream = { ok: false, failed: { kind: 'unreachable' } };

/** Keeps a stream open with one response for each attempt; ends when no response is left. */
async function run(answers: readonly OpenedStream[]) {
  const states: ConnectionState[] = [];
  const asked: (string | undefined)[] = [];
  const seen: string[] = [];
  const pauses: number[] = [];
  const abort = new AbortController();
  await keepConnected({
    open: async (lastEventId) => {
      asked.push(lastEventId);
      return answers[asked.length - 1] ?? opened([]);
    },
    onState: (state) => void states.push(state),
    onEvent: (data) => void seen.push(data),
    isFinished: () => asked.length >= answers.length,
    wait: async (milliseconds) => void pauses.push(milliseconds),
    random: () => 1,
    signal: abort.signal,
  });
  return { states, asked, seen, pauses };
}

test('an interrupted stream resumes after the last event seen', async () => {
  const { states, asked, seen } = await run([
    opened([{ id: '1', data: 'a' }], true),
    away,
    opened([{ id: '2', data: 'b' }]),
  ]);
  expect(asked).toEqual([undefined, '1', '1']);
  expect(seen).toEqual(['a', 'b']);
  expect(states).toEqual(['connecting', 'live', 'reconnecting', 'reconnecting', 'live', 'ended']);
});

test('an expired session is reported, and requests stop', async () => {
  const { states, asked } = await run([{ ok: false, failed: { kind: 'signed-out' } }, opened([])]);
  expect(states).toEqual(['connecting', 'signed-out']);
  expect(asked).toHaveLength(1);
});

test('a permanent rejection is not retried; server errors are, with exponential back-off', async () => {
  expect((await run([failing(404), opened([])])).states).toEqual(['connecting', 'ended']);
  const { pauses } = await run([failing(500), failing(503), away, away, away, away, opened([])]);
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000]);
});

test('a stream that had delivered reopens soon, one that closes at once with increasing delay', async () => {
  const { pauses } = await run([opened([]), opened([]), opened([{ data: 'a' }]), opened([])]);
  expect(pauses).toEqual([1000, 2000, 1000]);
});
