import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the CPU seconds of a process from /proc, in ticks of 10 ms. */
export function processorTime(pid: number): number {
  const [user, system] = fieldsOf(pid).slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) / 100;
}

/**
 * Returns the process id of the child of this process with a command name; throws if there is none or more than one.
 */
export function childNamed(name: string): number {
  const found = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => nameOf(pid) === name && Number(fieldsOf(pid)[1]) === process.pid);
  const [pid, ...others] = found;
  if (pid === undefined || others.length > 0)
    throw new Error(`${found.length} children of the benchmark are named ${name}`);
  return pid;
}

/** Returns the fields of /proc/PID/stat after the name; empty if the process has exited. */
const fieldsOf = (pid: number): readonly string[] => (/\) (.*)/.exec(statOf(pid))?.[1] ?? '').split(' ');
const nameOf = (pid: number): string | undefined => /\((.*)\)/.exec(statOf(pid))?.[1];

function statOf(pid: number): string {
  try {
    return readFileSync(join('/proc', `${pid}`, 'stat'), 'utf8');
  } catch {
    return '';
  }
}
