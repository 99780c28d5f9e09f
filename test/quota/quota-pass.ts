import { spawn } from 'node:child_process';
import { join } from 'node:path';

const program = join(__dirname, '..', '..', 'build', 'bin', 'quota.js');

/** How a pass of the watcher ended, and its log; a line that is no JSON comes as a message. */
export interface QuotaPass {
  readonly code: number | null;
  readonly log: readonly Readonly<Record<string, unknown>>[];
}

/** Runs one pass of the watcher as it ships, build/bin/quota.js, in a process of its own with these variables alone. */
export const quotaPass = (variables: Readonly<Record<string, string>>): Promise<QuotaPass> =>
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
