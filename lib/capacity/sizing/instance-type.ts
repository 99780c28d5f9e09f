import { instanceFamilies, regionFamilies } from './instance-catalog';

/** One size of an EC2 instance. */
export interface InstanceType {
  readonly name: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly accelerators: number;
  /** What EBS gives all the time. */
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

/** Every size that a plan knows, by name. */
export const instanceTypes: ReadonlyMap<string, InstanceType> = new Map(
  Object.entries(instanceFamilies).flatMap(([family, table]) =>
    sizesOf(family, table).map((type): [string, InstanceType] => [type.name, type]),
  ),
);

/** Regions of which it is known what they offer. */
export const catalogRegions: readonly string[] = Object.keys(regionFamilies);

/** A processor weighs as much as ten GiB: close to what the c, m and r families cost, and all that the order needs. */
const weight = ({ cores, memoryGib }: InstanceType): number => 10 * cores + memoryGib;

const offered = new Map<string, readonly InstanceType[]>();

/** The sizes of some families that a region offers, the least first; of equals the family that is named first. */
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

/** True where a region offers a size. */
export const isOffered = (region: string, name: string): boolean =>
  instanceTypes.has(name) && (regionFamilies[region] ?? '').split(' ').includes(name.split('.')[0] ?? '');

/** The least of some sizes that has enough of everything; undefined where none has. */
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
