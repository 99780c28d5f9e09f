import { instanceFamilies, regionFamilies } from './instance-catalog';

/** One size of an EC2 instance. */
export interface InstanceType {
  readonly name: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly accelerators: number;
  /** Sustained EBS performance. */
  readonly ebsIops: number;
  readonly ebsMBps: number;
}

function sizesOf(family: string, table: string): InstanceType[] {
  return table
    .trim()
    .split('\n')
    .map((row) => {
      const [size = '', ...numbers] = row.trim().split(' ');
      const [cores = 0, memoryGib = 0, accelerators = 0, ebsIops = 0, ebsMBps = 0] = numbers.map(Number);
      return { name: `${family}.${size}`, cores, memoryGib, accelerators, ebsIops, ebsMBps };
    });
}

/** Every known size, by name. */
export const instanceTypes: ReadonlyMap<string, InstanceType> = new Map(
  Object.entries(instanceFamilies).flatMap(([family, table]) =>
    sizesOf(family, table).map((type): [string, InstanceType] => [type.name, type]),
  ),
);

/** Regions with a known catalog. */
export const catalogRegions: readonly string[] = Object.keys(regionFamilies);

/** Weight of a CPU against a GiB: close to the prices of the c, m and r families, and sufficient for an order. */
const weight = ({ cores, memoryGib }: InstanceType): number => 10 * cores + memoryGib;

const offered = new Map<string, readonly InstanceType[]>();

/** Returns the sizes of some families that a region offers, smallest first; of equals, the family named first. */
export function offeredIn(region: string, families: readonly string[]): readonly InstanceType[] {
  const key = `${region} ${families.join(' ')}`;
  const known = offered.get(key);
  if (known) return known;
  const here = new Set((regionFamilies[region] ?? '').split(' '));
  const sizes = families
    .filter((family) => here.has(family))
    .flatMap((family) => sizesOf(family, instanceFamilies[family] ?? ''))
    .sort((a, b) => weight(a) - weight(b));
  offered.set(key, sizes);
  return sizes;
}

/** Returns true if a region offers a size. */
export const isOffered = (region: string, name: string): boolean =>
  instanceTypes.has(name) && (regionFamilies[region] ?? '').split(' ').includes(name.split('.')[0] ?? '');

/** Returns the smallest size that has enough of everything; undefined if none has. */
export const smallestFitting = (
  sizes: readonly InstanceType[],
  need: {
    readonly cores: number;
    readonly memoryGib: number;
    readonly ebsIops?: number;
    readonly ebsMBps?: number;
    readonly accelerators?: number;
  },
): InstanceType | undefined =>
  sizes.find(
    (size) =>
      size.cores >= need.cores &&
      size.memoryGib >= need.memoryGib &&
      size.ebsIops >= (need.ebsIops ?? 0) &&
      size.ebsMBps >= (need.ebsMBps ?? 0) &&
      size.accelerators >= (need.accelerators ?? 0),
  );
