import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findGroup, type MemoryUse } from '../../lib/operations';
import { waitFor } from '../control-plane/wait-for';

const program = join(__dirname, '..', '..', 'build', 'bin', 'apiserver-memory.js');
const mebibyte = 1024 * 1024;
const limit = 256 * mebibyte;
const mounts = { proc: '/proc', cgroup: '/sys/fs/cgroup' };

/** Creates a memory-limited control group, version 1 or 2, or returns why it cannot. */
function createGroup(): { readonly path: string } | { readonly skipped: string } {
  const version1Root = '/sys/fs/cgroup/memory';
  const root = existsSync(join(version1Root, 'memory.stat')) ? version1Root : '/sys/fs/cgroup';
  const path = join(root, `pinion-test-${process.pid}`);
  try {
    mkdirSync(path);
  } catch (error) {
    return { skipped: `cannot create a control group below ${root}: ${(error as Error).message}` };
  }
  const file = join(path, root === version1Root ? 'memory.limit_in_bytes' : 'memory.max');
  if (existsSync(file)) return { path };
  rmdirSync(path);
  return { skipped: `${root} has no memory controller` };
}

const group = process.platform === 'linux' ? createGroup() : { skipped: 'control groups exist only on Linux' };

if ('skipped' in group) test.skip(`memory of a control plane node (skipped: ${group.skipped})`, () => undefined);
else
  describe('memory of a control plane node', () => {
    const groupPath = group.path;
    const folder = mkdtempSync(join(tmpdir(), 'pinion-memory-'));
    const running: ChildProcess[] = [];
    const isVersion1 = existsSync(join(groupPath, 'memory.limit_in_bytes'));
    let worker: ChildProcess;

    beforeAll(async () => {
      writeFileSync(join(groupPath, isVersion1 ? 'memory.limit_in_bytes' : 'memory.max'), String(limit));
      // Holds 64 MiB of anonymous memory and writes 512 MiB into a log, twice the limit.
      const workerScript = `
        const held = Buffer.alloc(${64 * mebibyte}, 7);
        const { openSync, writeSync, fsyncSync } = require('node:fs');
        const file = openSync(${JSON.stringify(join(folder, 'audit.log'))}, 'w');
        const piece = Buffer.alloc(${mebibyte}, 'x');
        for (let count = 0; count < 512; count++) { piece.writeUInt32LE(count); writeSync(file, piece); if (count % 64 === 63) fsyncSync(file); }
        console.log('filled');
        setInterval(() => console.log(held.every((byte) => byte === 7) ? 'alive' : 'damaged'), 1000);
      `;
      const script = `echo $$ > ${groupPath}/cgroup.procs; exec ${process.execPath} -e "$0"`;
      worker = spawn('sh', ['-c', script, workerScript], { stdio: ['ignore', 'pipe', 'inherit'] });
      running.push(worker);
      await waitForLine(worker, 'filled');
    }, 120_000);
    afterAll(async () => {
      for (const agentProcess of running) {
        const ended = new Promise((resolve) => agentProcess.once('close', resolve));
        if (agentProcess.exitCode === null && agentProcess.signalCode === null && agentProcess.kill('SIGKILL'))
          await ended;
      }
      rmSync(folder, { recursive: true, force: true });
      await waitFor('the control group to be empty', () =>
        Promise.resolve(readFileSync(join(groupPath, 'cgroup.procs'), 'utf8') === ''),
      );
      rmdirSync(groupPath);
    }, 30_000);

    const waitForLine = (agentProcess: ChildProcess, word: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const lines = createInterface({ input: agentProcess.stdout as NonNullable<ChildProcess['stdout']> });
        lines.on('line', (line) => {
          if (!line.includes(word)) return;
          lines.close();
          resolve(line);
        });
        agentProcess.once('close', (code, signal) => reject(new Error(`the process ended with ${code ?? signal}`)));
      });

    async function agent(mode: string): Promise<{ readonly metrics: () => Promise<string>; stop(): Promise<void> }> {
      const env = {
        PATH: process.env['PATH'],
        MODE: mode,
        CGROUP: groupPath,
        FOLDERS: folder,
        INTERVAL: '200ms',
        PORT: '0',
      };
      const agentProcess = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      running.push(agentProcess);
      const { port } = JSON.parse(await waitForLine(agentProcess, 'listening')) as { port: number };
      agentProcess.stdout?.resume();
      return {
        metrics: async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
        stop: () =>
          new Promise((resolve) => agentProcess.once('close', () => resolve()) && agentProcess.kill('SIGTERM')),
      };
    }

    const memoryUse = (): MemoryUse => findGroup({ path: groupPath }, mounts).read();
    const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    const hashOf = async (file: string): Promise<string> => {
      const hash = createHash('sha256');
      for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
      return hash.digest('hex');
    };

    test.each(['off', 'observe'])(
      'stays near its limit with the agent in mode %s',
      async (mode) => {
        const agentProcess = await agent(mode);
        await pause(2_000);
        const { current, file } = memoryUse();
        expect(current).toBeGreaterThan(0.9 * limit);
        expect(file).toBeGreaterThan(0.3 * limit);
        const metrics = await agentProcess.metrics();
        expect(metrics).toContain('pinion_apiserver_memory_reclaim_requested_bytes_total 0\n');
        if (mode === 'observe') {
          expect(metrics).toContain(`pinion_apiserver_memory_bytes{type="limit"} ${limit}\n`);
          expect(metrics).toMatch(/reclaims_total\{outcome="observed"\} [1-9]/);
        } else expect(metrics).not.toContain('pinion_apiserver_memory_bytes{');
        await agentProcess.stop();
      },
      30_000,
    );

    test('reclaims page cache in mode act and leaves anonymous memory and files untouched', async () => {
      const before = memoryUse();
      const agentProcess = await agent('act');
      const after = await waitFor(
        'memory to be reclaimed',
        () => Promise.resolve(memoryUse().current < 0.82 * limit && memoryUse()),
        {
          timeout: 30_000,
        },
      );
      expect(after.file).toBeLessThan(before.file);
      expect(Math.abs(after.anon - before.anon)).toBeLessThan(4 * mebibyte);
      expect(await waitForLine(worker, 'alive')).toBe('alive');
      await waitFor('the reclaim metrics', async () =>
        /reclaims_total\{outcome="(complete|partial)"\} [1-9]/.test(await agentProcess.metrics()),
      );
      await agentProcess.stop();
      const hash = createHash('sha256');
      const chunk = Buffer.alloc(mebibyte, 'x');
      for (let count = 0; count < 512; count++) {
        chunk.writeUInt32LE(count);
        hash.update(chunk);
      }
      expect(await hashOf(join(folder, 'audit.log'))).toBe(hash.digest('hex'));
    }, 60_000);
  });
