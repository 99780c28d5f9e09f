import { spawn } from 'node:child_process';
import { join } from 'node:path';

const program = join(__dirname, '..', '..', 'build', 'bin', 'quota.js');

/** Exit code and log of a quota monitor run; a line that is not JSON becomes a message. */
export interface MonitorRun {
  readonly code: number | null;
  readonly log: readonly Readonly<Record<string, unknown>>[];
}

/** Runs the built quota monitor (build/bin/quota.js) once in a separate process, with only these variables. */
export const runMonitor = (variables: Readonly<Record<string, string>>): Promise<MonitorRun> =>
  new Promise((resolve) => {
    let out = '';
    const env = { PATH: process.env['PATH'], ...variables };
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', (piece: Buffer) => (out += piece.toString('utf8')));
    child.on('close', (code) => resolve({ code, log: out.split('\n').filter(Boolean).map(lineOf) }));
  });

function lineOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return { message: text };
  }
}
