/** Versions of control groups. */
export type CgroupVersion = 1 | 2;

/** What the memory of a control group is made of, in bytes. */
export interface MemoryParts {
  /** Anonymous memory: heaps and stacks. */
  readonly anon: number;
  /** Page cache of files; shared memory, which no file backs, is left out. */
  readonly file: number;
  /** Page cache that was not used lately: what goes first. */
  readonly inactive: number;
}

/** `memory.stat` as far as it is used, by version: with all groups below. */
const names = {
  1: { anon: 'total_rss', file: 'total_cache', shared: 'total_shmem', inactive: 'total_inactive_file' },
  2: { anon: 'anon', file: 'file', shared: 'shmem', inactive: 'inactive_file' },
} as const;

/** Reads `memory.stat`; undefined where a number that is needed is not there. */
export function readMemoryStat(text: string, version: CgroupVersion): MemoryParts | undefined {
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const found = /^(\w+) (\d{1,20})$/.exec(line);
    if (found?.[1] !== undefined) values.set(found[1], Number(found[2]));
  }
  const { anon, file, shared, inactive } = names[version];
  const [heap, cache, idle] = [anon, file, inactive].map((name) => values.get(name));
  if (heap === undefined || cache === undefined || idle === undefined) return undefined;
  return { anon: heap, file: Math.max(0, cache - (values.get(shared) ?? 0)), inactive: idle };
}

/** Reads a limit; undefined for `max`, for what version 1 writes for no limit (near 2^63), and for what is no number. */
export function readLimit(text: string): number | undefined {
  const limit = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return limit < 2 ** 62 ? limit : undefined;
}

/** Where the group of a process lies below the root of its hierarchy, by `/proc/PID/cgroup`. */
export function groupOf(text: string): { readonly version: CgroupVersion; readonly path: string } | undefined {
  const lines = text.split('\n').map((line) => /^\d+:([^:]*):(\/.*)$/.exec(line));
  // Where both are mounted, memory belongs to the one that names it.
  const first = lines.find((line) => line?.[1]?.split(',').includes('memory'));
  if (first?.[2] !== undefined) return { version: 1, path: first[2] };
  const second = lines.find((line) => line?.[1] === '');
  return second?.[2] === undefined ? undefined : { version: 2, path: second[2] };
}
