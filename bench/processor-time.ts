import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Seconds of the processor that a process has taken, as /proc tells; its clock ticks a hundred times a second. */
export function processorTime(pid: number): number {
  const [user, system] = fieldsOf(pid).slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) / 100;
}

/** Process id of the child of this process whose command has that name; an error where there is none or more than one. */
export function childNamed(name: string): number {
  const found = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => nameOf(pid) === name && Number(fieldsOf(pid)[1]) === process.pid);
  const [pid, ...others] = found;
  if (pid === undefined || others.length > 0)
    throw new Error(`${found.length} children of the bench are called ${name}`);
  return pid;
}

/** Fields of a process from its state on; none where it has ended. */
const fieldsOf = (pid: number): readonly string[] => (/\) (.*)/.exec(statOf(pid))?.[1] ?? '').split(' ');
const nameOf = (pid: number): string | undefined => /\((.*)\)/.exec(statOf(pid))?.[1];

function statOf(pid: number): string {
  try {
    return readFileSync(join('/proc', `${pid}`, 'stat'), 'utf8');
  } catch {
    return '';
  }
}
