import { spawn } from 'node:child_process';
import { UnavailableError, type Io } from '../../io/io';

/** Longest error message of git that is shown. */
const maxMessage = 300;

/** Runs git in a folder, and returns its output. Throws an `UnavailableError` if it fails. It never asks, and writes nothing. */
export function git(args: readonly string[], io: Io, cwd: string, input = ''): Promise<Buffer> {
  const env = { ...io.system?.environment, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['--no-pager', ...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    const removeStopHandler = io.onStop(() => void child.kill());
    const [output, errors]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    // If git ends early, its exit code says why.
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => {
      removeStopHandler();
      reject(new UnavailableError(`git cannot be run: ${error.message}`));
    });
    child.on('close', (code) => {
      removeStopHandler();
      if (code === 0) return resolve(Buffer.concat(output));
      const message = Buffer.concat(errors).toString().trim().replace(/\s+/g, ' ').slice(0, maxMessage);
      reject(new UnavailableError(`git ${args[0]} failed: ${message}`));
    });
    child.stdin.end(input);
  });
}
