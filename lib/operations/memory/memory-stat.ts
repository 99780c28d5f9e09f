/** Version of the cgroup hierarchy. */
export type CgroupVersion = 1 | 2;

/** Memory of a control group by type, in bytes. */
export interface MemoryParts {
  /** Anonymous memory: heaps and stacks. */
  readonly anon: number;
  /** Page cache of files, without shared memory. */
  readonly file: number;
  /** Inactive page cache, which is reclaimed first. */
  readonly inactive: number;
}

/** Fields of `memory.stat` by version, including descendants. */
const names = {
  1: { anon: 'total_rss', file: 'total_cache', shared: 'total_shmem', inactive: 'total_inactive_file' },
  2: { anon: 'anon', file: 'file', shared: 'shmem', inactive: 'inactive_file' },
} as const;

/** Parses `memory.stat`; returns undefined if a field is missing. */
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

/** Parses a limit; returns undefined for `max`, version 1's "no limit" (near 2^63) and other text. */
export function readLimit(text: string): number | undefined {
  const limit = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return limit < 2 ** 62 ? limit : undefined;
}

/** Returns the path of a process's group under the root of its hierarchy, from `/proc/PID/cgroup`. */
export function groupOf(text: string): { readonly version: CgroupVersion; readonly path: string } | undefined {
  const lines = text.split('\n').map((line) => /^\d+:([^:]*):(\/.*)$/.exec(line));
  // If both versions are mounted, memory belongs to the hierarchy that lists it.
  const first = lines.find((line) => line?.[1]?.split(',').includes('memory'));
  if (first?.[2] !== undefined) return { version: 1, path: first[2] };
  const second = lines.find((line) => line?.[1] === '');
  return second?.[2] === undefined ? undefined : { version: 2, path: second[2] };
}
