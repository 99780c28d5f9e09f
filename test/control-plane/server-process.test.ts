import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformFileSync } from '@swc/core';
import { Guard, ServerProcess, isRunning } from './server-process';
import { waitFor } from './wait-for';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'pinion-server-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a process that starts a guarded `sleep` and prints the ids of server and guard. */
async function startInOtherProcess(state: string): Promise<{ starter: number; started: readonly number[] }> {
  const { code } = transformFileSync(join(__dirname, 'server-process.ts'), {
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
  });
  const script = `
    const guard = new Guard(${JSON.stringify(state)});
    const log = ${JSON.stringify(join(state, 'log'))};
    const server = ServerProcess.start('sleep', 'sleep', ['600'], log, guard);
    console.log([server.pid, guard.pid].join(' '));
    setInterval(() => undefined, 1000);`;
  const file = join(folder, 'starter.cjs');
  writeFileSync(file, code + script);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve) => child.stdout.once('data', (text: Buffer) => resolve(`${text}`)));
  return { starter: child.pid ?? 0, started: line.trim().split(' ').map(Number) };
}

test.each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)(
  'a server does not outlive the process that started it when that ends by %s',
  async (signal) => {
    const state = join(folder, 'state');
    mkdirSync(state);
    const { starter, started } = await startInOtherProcess(state);
    expect(started.map(isRunning)).toEqual([true, true]);
    process.kill(starter, signal);
    await waitFor('server and guard to exit', async () => !started.some(isRunning) && !existsSync(state));
  },
);

test('a killed server has exited, and its id is no longer guarded', async () => {
  const guard = new Guard(folder);
  const server = ServerProcess.start('sleep', 'sleep', ['600'], join(folder, 'log'), guard);
  await server.kill();
  expect([server.ending, isRunning(server.pid)]).toEqual(['was ended by SIGKILL', false]);
  expect(server.signal('SIGSTOP')).toBe(false);
  const other = spawn('sleep', ['600'], { stdio: 'ignore' });
  const pid = other.pid ?? 0;
  guard.watch(pid);
  guard.forget(pid);
  const last = ServerProcess.start('sleep', 'sleep', ['600'], join(folder, 'log'), guard);
  guard.abandon();
  await waitFor('the guard to finish', async () => last.ending === 'was ended by SIGKILL');
  expect(isRunning(pid)).toBe(true);
  other.kill();
});

test('a paused server can be stopped', async () => {
  const guard = new Guard(folder);
  const server = ServerProcess.start('sleep', 'sleep', ['600'], join(folder, 'log'), guard);
  server.signal('SIGSTOP');
  await server.stop();
  await guard.dismiss();
  expect(server.ending).toBe('was ended by SIGTERM');
});

test('a stopped server has exited, and so has its guard', async () => {
  const guard = new Guard(folder);
  const server = ServerProcess.start('sleep', 'sleep', ['600'], join(folder, 'log'), guard);
  await server.stop();
  await guard.dismiss();
  expect([server.pid, guard.pid].map(isRunning)).toEqual([false, false]);
  expect(server.ending).toBe('was ended by SIGTERM');
  expect(existsSync(folder)).toBe(true);
});

test('a server that ignores SIGTERM is killed', async () => {
  const guard = new Guard(folder);
  const log = join(folder, 'log');
  const ignoresTerm = 'trap "" TERM; echo up; while :; do sleep 0.05; done';
  const server = ServerProcess.start('ignores-term', 'sh', ['-c', ignoresTerm], log, guard);
  await waitFor('it to be up', async () => server.tail().includes('up'));
  await server.stop(100);
  await guard.dismiss();
  expect(server.ending).toBe('was ended by SIGKILL');
});

test('a program that does not exist counts as an exited server', async () => {
  const guard = new Guard(folder);
  const server = ServerProcess.start('nothing', join(folder, 'nothing'), [], join(folder, 'log'), guard);
  expect(server.ending).toBe('could not be started');
  await server.stop();
  await guard.dismiss();
});
