import { parseArgs } from 'node:util';

/** Sizes of the parts; each is a flag, such as `--services 200`. */
export const sizes = {
  services: { preset: 1000, what: 'converge: PinterestServices' },
  parallel: {
    preset: 16,
    what: 'converge: concurrent applies in the bare loop, as many as the controller has workers',
  },
  fleet: { preset: 10_000, what: 'idle, drift, failover: workloads' },
  'with-pods': { preset: 300, what: 'idle: workloads of the fleet that have pods, two each' },
  'idle-seconds': { preset: 300, what: 'idle: duration without changes' },
  edits: { preset: 300, what: 'drift: edits by another user' },
  'job-sets': { preset: 500, what: 'job-sets: job sets' },
  shards: { preset: 2, what: 'job-sets: shards per job set, all in parallel' },
  rounds: { preset: 5, what: 'failover: number of leaders to kill' },
  nodes: { preset: 2500, what: 'scale: nodes' },
  pods: { preset: 35_000, what: 'scale: pods' },
} as const;

/** Value of each size. */
export type Sizes = Readonly<Record<keyof typeof sizes, number>>;

/** Parses the names of parts and the sizes; throws where a flag is unknown or not an integer above 0. */
export function readArguments(argv: readonly string[]): { readonly names: readonly string[]; readonly sizes: Sizes } {
  const entries = Object.entries(sizes);
  const options = Object.fromEntries(
    entries.map(([name, { preset }]) => [name, { type: 'string', default: String(preset) } as const]),
  );
  const { values, positionals } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: true });
  const read = entries.map(([name]): [string, number] => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} ${values[name]}: is not an integer above 0`);
    return [name, value];
  });
  return { names: positionals, sizes: Object.fromEntries(read) as Sizes };
}
