import { arm64Families, instanceFamilies, regionFamilies } from './instance-catalog';

/** An EC2 instance type. */
export interface InstanceType {
  readonly name: string;
  readonly architecture: 'amd64' | 'arm64';
  readonly cores: number;
  readonly memoryGib: number;
  readonly accelerators: number;
  /** Sustained EBS performance. */
  readonly ebsIops: number;
  readonly ebsMBps: number;
}

function sizesOf(family: string, table: string): InstanceType[] {
  const architecture = arm64Families.includes(family) ? 'arm64' : 'amd64';
  return table
    .trim()
    .split('\n')
    .map((row) => {
      const [size = '', ...numbers] = row.trim().split(' ');
      const [cores = 0, memoryGib = 0, accelerators = 0, ebsIops = 0, ebsMBps = 0] = numbers.map(Number);
      return { name: `${family}.${size}`, architecture, cores, memoryGib, accelerators, ebsIops, ebsMBps };
    });
}

/** All known instance types, by name. */
export const instanceTypes: ReadonlyMap<string, InstanceType> = new Map(
  Object.entries(instanceFamilies).flatMap(([family, table]) =>
    sizesOf(family, table).map((type): [string, InstanceType] => [type.name, type]),
  ),
);

/** Regions with a known catalog. */
export const catalogRegions: readonly string[] = Object.keys(regionFamilies);

/** Approximate price of an accelerator in GiB of memory: 200 in the g families, more in those for training. */
const acceleratorPrices: Readonly<Record<string, number>> = { p4d: 900, p5: 1500 };

/** Approximate relative price, for sorting: in the c, m and r families, a CPU costs about as much as 10 GiB. */
const relativePrice = ({ name, cores, memoryGib, accelerators }: InstanceType): number =>
  10 * cores + memoryGib + accelerators * (acceleratorPrices[familyOf(name)] ?? 200);

const familyOf = (name: string): string => name.split('.')[0] ?? '';

/** Sorted types by list of families and region; the lists are constants. */
const offered = new WeakMap<readonly string[], Map<string, readonly InstanceType[]>>();

/** Returns the instance types of some families that a region offers, smallest first; ties are in the order of the families. */
export function offeredIn(region: string, families: readonly string[]): readonly InstanceType[] {
  const byRegion = offered.get(families) ?? new Map<string, readonly InstanceType[]>();
  const known = byRegion.get(region);
  if (known) return known;
  const offeredFamilies = new Set((regionFamilies[region] ?? '').split(' '));
  const sizes = families
    .filter((family) => offeredFamilies.has(family))
    .flatMap((family) => sizesOf(family, instanceFamilies[family] ?? ''))
    .sort((a, b) => relativePrice(a) - relativePrice(b));
  offered.set(families, byRegion.set(region, sizes));
  return sizes;
}

/** Returns true if a region offers an instance type. */
export const isOffered = (region: string, name: string): boolean =>
  instanceTypes.has(name) && (regionFamilies[region] ?? '').split(' ').includes(familyOf(name));

/** Returns true if the autoscaler treats nodes of two instance types alike. */
export const isSameSize = (one: InstanceType, other: InstanceType): boolean =>
  one.cores === other.cores && one.memoryGib === other.memoryGib && one.accelerators === other.accelerators;

/** Returns the smallest instance type with sufficient resources; undefined if there is none. */
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
