import { spawnSync } from 'node:child_process';

/** Runs a program and returns what it printed; where it fails, throws what it wrote to its error output. */
export function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stderr}`);
  return stdout;
}
