import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CgroupVersion, groupOf, readLimit, readMemoryStat } from './memory-stat';
import { type MemoryUse } from './plan-reclaim';

/** Where the kernel shows itself; tests have other places. */
export interface KernelPlaces {
  readonly proc: string;
  readonly cgroup: string;
}

/** Thrown where the memory of a group cannot be read. */
export class NoGroup extends Error {
  override readonly name = 'NoGroup' as const;
}

/** The memory of one control group. */
export class CgroupMemory {
  constructor(
    readonly folder: string,
    readonly version: CgroupVersion,
    private readonly places: KernelPlaces,
  ) {}

  /** What it has now. Throws `NoGroup` where it is gone. */
  read(): MemoryUse {
    const parts = readMemoryStat(this.text('memory.stat'), this.version);
    const current = readLimit(this.text(this.version === 2 ? 'memory.current' : 'memory.usage_in_bytes'));
    if (!parts || current === undefined) throw new NoGroup(`${this.folder}: memory.stat cannot be read`);
    return { ...parts, current, limit: this.limit() };
  }

  /**
   * Asks the kernel to give page cache back, and anonymous memory not at all; only where that can be said: version 2 with
   * `swappiness=0` (Linux 6.10), or without swap. Gives back what it did.
   */
  reclaim(bytes: number): 'given' | 'partly' | 'impossible' {
    if (this.version !== 2) return 'impossible';
    const asked = this.ask(`${bytes} swappiness=0`);
    if (asked !== 'unknown') return asked;
    if (hasSwap(this.places.proc)) return 'impossible';
    const plain = this.ask(String(bytes));
    return plain === 'unknown' ? 'impossible' : plain;
  }

  private ask(text: string): 'given' | 'partly' | 'unknown' {
    try {
      writeFileSync(join(this.folder, 'memory.reclaim'), text, { flag: 'r+' });
      return 'given';
    } catch (error) {
      // The kernel gave back less than was asked for.
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'partly' : 'unknown';
    }
  }

  /** The smallest limit of the group and those that it is in, and at most the memory of the machine. */
  private limit(): number {
    const total = Number(/^MemTotal:\s+(\d+) kB$/m.exec(readText(join(this.places.proc, 'meminfo')))?.[1]) * 1024;
    const limits = [total];
    const name = this.version === 2 ? 'memory.max' : 'memory.limit_in_bytes';
    for (let folder = this.folder; folder.length > this.places.cgroup.length; folder = dirname(folder)) {
      const limit = readLimit(optionalText(join(folder, name)));
      if (limit !== undefined) limits.push(limit);
    }
    return Math.min(...limits.filter((limit) => limit > 0));
  }

  private text(name: string): string {
    return readText(join(this.folder, name));
  }
}

/** The group of the process with a name (as in `/proc/PID/comm`), or at a path below the root. Throws `NoGroup`. */
export function findGroup(
  wanted: { readonly process: string } | { readonly path: string },
  places: KernelPlaces,
): CgroupMemory {
  if ('path' in wanted) {
    const version = optionalText(join(wanted.path, 'memory.current')) === '' ? 1 : 2;
    return new CgroupMemory(wanted.path, version, places);
  }
  for (const pid of readdirSync(places.proc)) {
    if (!/^\d+$/.test(pid) || optionalText(join(places.proc, pid, 'comm')).trim() !== wanted.process) continue;
    const group = groupOf(optionalText(join(places.proc, pid, 'cgroup')));
    if (!group) continue;
    const root = group.version === 1 ? join(places.cgroup, 'memory') : places.cgroup;
    return new CgroupMemory(join(root, group.path), group.version, places);
  }
  throw new NoGroup(`no process is called ${wanted.process}`);
}

const hasSwap = (proc: string): boolean => optionalText(join(proc, 'swaps')).trim().split('\n').length > 1;

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new NoGroup(`${file} cannot be read`, { cause });
  }
}

function optionalText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
