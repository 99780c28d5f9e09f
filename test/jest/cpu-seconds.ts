import { existsSync, readFileSync } from 'node:fs';

const file = '/proc/self/stat';
/** Ticks per second of the times in /proc, the same on all architectures of Linux that Node runs on. */
const ticksPerSecond = 100;

/** Returns the CPU time of this process and of its ended children in seconds; 0 on systems other than Linux. */
export function cpuSeconds(): number {
  if (!existsSync(file)) return 0;
  // The name of the program, in parentheses, may contain spaces; utime, stime, cutime and cstime are the fields 14 to 17 of proc(5).
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}
