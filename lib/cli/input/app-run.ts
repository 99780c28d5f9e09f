import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Problem } from '../../api';
import { reasonOf, type Io } from '../io/io';
import { tokenVariables } from '../service/ci-tokens';

/** A run of an app. */
export interface AppRun {
  readonly command: readonly string[];
  /** Working directory. */
  readonly cwd: string;
  readonly milliseconds: number;
}

/**
 * Runs a cdk8s app that emits custom resources into a folder, passes the folder to `action`, and removes it.
 *
 * Its output goes to standard error. It cannot request tokens. If it fails or times out, its
 * process group is killed and `action` gets a problem.
 */
export async function withAppOutput<T>(
  run: AppRun,
  io: Io,
  action: (folder: string, problem: Problem | undefined) => Promise<T>,
): Promise<T> {
  const folder = join(tmpdir(), `pinion-app-${randomUUID()}`);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const removeStopHandler = io.onStop(remove);
  try {
    mkdirSync(folder, { mode: 0o700 });
    const failure = await runApp(run, folder, io);
    const remedy = `read its output; it must exit with 0 when run in ${run.cwd}`;
    const path = ['spec', 'workloads', 'app', 'command'];
    const problem = { code: 'parse-error', path, value: run.command, reason: failure ?? '', remedy } as const;
    return await action(folder, failure === undefined ? undefined : problem);
  } finally {
    remove();
    removeStopHandler();
  }
}

/** Runs the app; returns the reason if it fails, undefined if it succeeds. */
function runApp({ command, cwd, milliseconds }: AppRun, folder: string, io: Io): Promise<string | undefined> {
  const [program = '', ...args] = command;
  const hiddenVariables = Object.fromEntries(
    [...tokenVariables, 'PINION_TOKEN', 'PINION_TOKEN_FILE'].map((name) => [name, undefined]),
  );
  const env = { ...io.system?.environment, ...hiddenVariables, CDK8S_OUTDIR: folder, PINION_EMIT: 'resource' };
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const kill = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The process has already exited.
      }
    };
    let isTimedOut = false;
    const timer = setTimeout(() => {
      isTimedOut = true;
      kill();
    }, milliseconds);
    const removeStopHandler = io.onStop(kill);
    const settle = (reason: string | undefined): void => {
      clearTimeout(timer);
      removeStopHandler();
      resolve(reason);
    };
    for (const output of [child.stdout, child.stderr])
      output.on('data', (text: Buffer) => io.writeError(text.toString()));
    child.on('error', (error) => settle(`cannot be run: the program ${reasonOf(error)}`));
    child.on('close', (code, signal) => {
      const failure = code === null ? `was terminated by ${signal}` : `exited with ${code}`;
      settle(isTimedOut ? `did not exit within ${milliseconds / 1000} s` : code === 0 ? undefined : failure);
    });
  });
}
