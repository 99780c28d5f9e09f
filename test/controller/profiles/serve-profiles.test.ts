import { type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { serveProfiles } from '../../../lib/controller/profiles/serve-profiles';
import { type Clock, type Log } from '../../../lib/kube';
import { readProfile, sumProfile, valueIndex } from '../../../lib/operations';

const clock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  random: () => 0.5,
};
let lines: string[];
const line = (message: string): void => void lines.push(message);
const log: Log = { debug: line, info: line, warn: line, error: line };

let server: Server;
beforeEach(async () => {
  lines = [];
  server = await serveProfiles(0, '127.0.0.1', { clock, log });
});
afterEach(async () => {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
});

interface Answer {
  readonly status: number | undefined;
  readonly bytes: Buffer;
}

/** Requests a path; `leave` closes the connection without waiting for the response. */
function ask(path: string, method = 'GET'): { readonly answer: Promise<Answer>; leave(): void } {
  const { port } = server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, path, method, agent: false });
  const answer = new Promise<Answer>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response: IncomingMessage) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.once('end', () => resolve({ status: response.statusCode, bytes: Buffer.concat(pieces) }));
    });
    sent.end();
  });
  return { answer, leave: () => void sent.destroy() };
}

const textOf = async (path: string, method?: string): Promise<readonly [number | undefined, string]> => {
  const { status, bytes } = await ask(path, method).answer;
  return [status, bytes.toString('utf8')];
};
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

let kept: object[][] = [];
/** Retains what it allocates. */
function allocateAndRetain(): void {
  kept.push(Array.from({ length: 200_000 }, (_, index) => ({ index })));
}
/** Runs for a while without allocating. */
function spin(): number {
  let sum = 0;
  for (let index = 0; index < 3_000_000; index++) sum = (sum * 31 + index) % 1_000_003;
  return sum;
}

test('a CPU profile names running functions, and ignores idle time', async () => {
  const { answer } = ask('/debug/pprof/profile?seconds=2');
  let isOver = false;
  void answer.finally(() => (isOver = true));
  while (!isOver) {
    spin();
    await turn();
  }
  const { status, bytes } = await answer;
  expect(status).toBe(200);
  const profile = readProfile(bytes);
  expect(profile.values.map(({ type, unit }) => `${type}/${unit}`)).toEqual(['samples/count', 'cpu/nanoseconds']);
  const { total, functions } = sumProfile(profile, valueIndex(profile) ?? -1);
  const busy = functions.find(({ name }) => name.endsWith('serve-profiles.test.ts:spin'));
  expect(busy?.total).toBeGreaterThan(total / 10);
  expect(functions.map(({ name }) => name).filter((name) => /\(idle\)|\(root\)/.test(name))).toEqual([]);
  // Idle time is not included: all samples are within the profiled time.
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(profile.duration * 1.01);
}, 60_000);

test('a heap profile shows retained memory by allocating function', async () => {
  const held = async (): Promise<number> => {
    const profile = readProfile((await ask('/debug/pprof/heap').answer).bytes);
    expect(profile.values).toEqual([{ type: 'inuse_space', unit: 'bytes' }]);
    const { functions } = sumProfile(profile, 0);
    return functions.find(({ name }) => name.endsWith(':allocateAndRetain'))?.total ?? 0;
  };
  expect(await held()).toBe(0);
  for (let round = 0; round < 5; round++) allocateAndRetain();
  // A million objects of one field, sampled: a few dozen bytes each.
  expect(await held()).toBeGreaterThan(8_000_000);
  kept = [];
  expect(await held()).toBeLessThan(4_000_000);
}, 60_000);

test('profiles are taken one at a time, and aborted if the caller disconnects', async () => {
  const first = ask('/debug/pprof/profile?seconds=600');
  first.answer.catch(() => undefined);
  while (lines.length === 0) await turn();
  expect(await textOf('/debug/pprof/heap')).toEqual([409, 'another profile is being taken\n']);
  expect(await textOf('/debug/pprof/profile?seconds=1')).toEqual([409, 'another profile is being taken\n']);
  first.leave();
  let status: number | undefined = 409;
  while (status === 409) [status] = await textOf('/debug/pprof/heap');
  expect(status).toBe(200);
  expect(lines).not.toContain('profile failed');
}, 60_000);

test('a server that stops leaves no profiler behind', async () => {
  const { answer } = ask('/debug/pprof/profile?seconds=600');
  answer.catch(() => undefined);
  while (lines.length === 0) await turn();
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
  await expect(answer).rejects.toThrow();
  server = await serveProfiles(0, '127.0.0.1', { clock, log });
  expect((await ask('/debug/pprof/profile?seconds=1').answer).status).toBe(200);
}, 60_000);

test('invalid requests are rejected before profiling starts', async () => {
  for (const seconds of ['0', '601', '-1', '1.5', 'many', ''])
    expect(await textOf(`/debug/pprof/profile?seconds=${seconds}`)).toEqual([
      400,
      'seconds must be an integer from 1 to 600\n',
    ]);
  expect(await textOf('/debug/pprof/heap?seconds=5')).toEqual([
    400,
    'a heap profile is a snapshot and does not accept seconds\n',
  ]);
  expect(await textOf('/debug/pprof/heap', 'POST')).toEqual([405, 'use GET to fetch profiles\n']);
  expect((await ask('/debug/pprof/profile', 'HEAD').answer).status).toBe(405);
  for (const path of ['/', '/debug/pprof/', '/metrics', '/debug/pprof/cmdline'])
    expect(await textOf(path)).toEqual([404, 'not found; use /debug/pprof/heap or /debug/pprof/profile\n']);
  expect(lines).toEqual([]);
}, 60_000);
