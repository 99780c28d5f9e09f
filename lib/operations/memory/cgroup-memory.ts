import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CgroupVersion, groupOf, readLimit, readMemoryStat } from './memory-stat';
import { type MemoryUse } from './plan-reclaim';

/** Mount points of the kernel's file systems. */
export interface KernelPaths {
  readonly proc: string;
  readonly cgroup: string;
}

/** Thrown if the memory of a control group cannot be read. */
export class CgroupUnavailable extends Error {
  override readonly name = 'CgroupUnavailable' as const;
}

/** Memory of a control group. */
export class CgroupMemory {
  constructor(
    readonly folder: string,
    readonly version: CgroupVersion,
    private readonly paths: KernelPaths,
  ) {}

  /** Returns the current memory use. Throws `CgroupUnavailable`. */
  read(): MemoryUse {
    const parts = readMemoryStat(this.text('memory.stat'), this.version);
    const current = readLimit(this.text(this.version === 2 ? 'memory.current' : 'memory.usage_in_bytes'));
    if (!parts || current === undefined) throw new CgroupUnavailable(`${this.folder}: memory.stat cannot be read`);
    return { ...parts, current, limit: this.limit() };
  }

  /**
   * Reclaims page cache but no anonymous memory, which requires cgroup v2 with `swappiness=0` (Linux 6.10) or no swap.
   * Returns the outcome.
   */
  reclaim(bytes: number): 'complete' | 'partial' | 'unsupported' {
    if (this.version !== 2) return 'unsupported';
    const outcome = this.requestReclaim(`${bytes} swappiness=0`);
    if (outcome !== 'unknown') return outcome;
    if (hasSwap(this.paths.proc)) return 'unsupported';
    const plain = this.requestReclaim(String(bytes));
    return plain === 'unknown' ? 'unsupported' : plain;
  }

  private requestReclaim(text: string): 'complete' | 'partial' | 'unknown' {
    try {
      writeFileSync(join(this.folder, 'memory.reclaim'), text, { flag: 'r+' });
      return 'complete';
    } catch (error) {
      // The kernel reclaimed less than requested.
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'partial' : 'unknown';
    }
  }

  /** Returns the smallest limit of the group and its ancestors, at most the memory of the machine. */
  private limit(): number {
    const total = Number(/^MemTotal:\s+(\d+) kB$/m.exec(readText(join(this.paths.proc, 'meminfo')))?.[1]) * 1024;
    const limits = [total];
    const name = this.version === 2 ? 'memory.max' : 'memory.limit_in_bytes';
    for (let folder = this.folder; folder.length > this.paths.cgroup.length; folder = dirname(folder)) {
      const limit = readLimit(optionalText(join(folder, name)));
      if (limit !== undefined) limits.push(limit);
    }
    return Math.min(...limits.filter((limit) => limit > 0));
  }

  private text(name: string): string {
    return readText(join(this.folder, name));
  }
}

/** Finds the group of the process with a name (as in `/proc/PID/comm`), or at a path. Throws `CgroupUnavailable`. */
export function findGroup(
  target: { readonly process: string } | { readonly path: string },
  paths: KernelPaths,
): CgroupMemory {
  if ('path' in target) {
    const version = optionalText(join(target.path, 'memory.current')) === '' ? 1 : 2;
    return new CgroupMemory(target.path, version, paths);
  }
  for (const pid of readdirSync(paths.proc)) {
    if (!/^\d+$/.test(pid) || optionalText(join(paths.proc, pid, 'comm')).trim() !== target.process) continue;
    const group = groupOf(optionalText(join(paths.proc, pid, 'cgroup')));
    if (!group) continue;
    const root = group.version === 1 ? join(paths.cgroup, 'memory') : paths.cgroup;
    return new CgroupMemory(join(root, group.path), group.version, paths);
  }
  throw new CgroupUnavailable(`process ${target.process} not found`);
}

const hasSwap = (proc: string): boolean => optionalText(join(proc, 'swaps')).trim().split('\n').length > 1;

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CgroupUnavailable(`${file} cannot be read`, { cause });
  }
}

function optionalText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
