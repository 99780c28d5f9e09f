import { isSameSize, offeredIn, smallestFitting, type InstanceType } from './instance-type';
import { type Pool } from '../load/load';

/** Instance families for each architecture and kind of pool, in order of preference. */
const families: Readonly<Record<Pool['architecture'], Readonly<Record<Pool['kind'], readonly string[]>>>> = {
  amd64: {
    general: ['m6i', 'm7i', 'm5', 'c6i', 'c7i', 'c5', 'r6i', 'r7i', 'r5'],
    memory: ['r6i', 'r7i', 'r5', 'x2idn'],
    accelerator: ['g5', 'g4dn', 'p4d', 'p5'],
    spot: ['m6i', 'm7i', 'm5', 'c6i', 'c7i', 'c5', 'r6i', 'r7i', 'r5'],
  },
  arm64: {
    general: ['m6g', 'm7g', 'c6g', 'c7g', 'r6g', 'r7g'],
    memory: ['r6g', 'r7g'],
    accelerator: ['g5g'],
    spot: ['m6g', 'm7g', 'c6g', 'c7g', 'r6g', 'r7g'],
  },
};

/** Maximum pods per node that Kubernetes is tested with. */
export const maxPodsPerNode = 110;
/** Tested pods per CPU. */
const podsPerCore = 10;
/** Reserved on a node for system, kubelet and daemons. */
const reservedCores = 0.3;
const reservedGib = 1.5;

/** Resources that a node needs for its pods. */
export interface MachineNeed {
  readonly cores: number;
  readonly memoryGib: number;
  readonly accelerators: number;
}

/** Returns the resources of a node that runs a number of pods of a pool. */
export const machineNeed = (pool: Pool, podsPerNode: number): MachineNeed => ({
  cores: Math.max(podsPerNode * pool.cores + reservedCores, podsPerNode / podsPerCore),
  memoryGib: podsPerNode * pool.memoryGib + reservedGib,
  accelerators: podsPerNode * pool.accelerators,
});

/** Returns the instance families of a pool. */
export const familiesOf = ({ architecture, kind }: Pool): readonly string[] => families[architecture][kind];

/** Returns the instance types that a region offers for a pool, smallest first. */
export const poolMachines = (region: string, pool: Pool): readonly InstanceType[] =>
  offeredIn(region, familiesOf(pool));

/** Returns the smallest instance type of a pool that satisfies a need; undefined if there is none. */
export function smallestMachine(region: string, pool: Pool, need: MachineNeed): InstanceType | undefined {
  const machines = poolMachines(region, pool);
  return (
    (pool.kind === 'spot' ? smallestFitting(pairedMachines(machines), need) : undefined) ??
    smallestFitting(machines, need)
  );
}

const paired = new WeakMap<readonly InstanceType[], readonly InstanceType[]>();

/** Returns the types for which there is another of the same size: spot instances of one type are interrupted together. */
function pairedMachines(machines: readonly InstanceType[]): readonly InstanceType[] {
  const known = paired.get(machines);
  if (known) return known;
  const types = machines.filter((one) => machines.some((other) => other !== one && isSameSize(one, other)));
  paired.set(machines, types);
  return types;
}

/** Returns the maximum pods of a pool that fit on one node of any instance type, at most 110; 0 if not even one fits. */
export function maxPodsOnMachine(region: string, pool: Pool): number {
  const machines = poolMachines(region, pool);
  let most = 0;
  // The largest machines are last, and mostly decide.
  for (let index = machines.length - 1; index >= 0 && most < maxPodsPerNode; index--) {
    const machine = machines[index] as InstanceType;
    // A quotient such as 3 / 0.1 is not exact: start at the next integer, and test with the same sums as a plan.
    let pods = Math.floor(podsBound(machine, pool) + 0.5);
    while (pods > most && !isSufficient(machine, machineNeed(pool, pods))) pods--;
    most = Math.max(most, pods);
  }
  return most;
}

const podsBound = ({ cores, memoryGib, accelerators }: InstanceType, pool: Pool): number =>
  Math.min(
    maxPodsPerNode,
    cores * podsPerCore,
    (cores - reservedCores) / pool.cores,
    (memoryGib - reservedGib) / pool.memoryGib,
    pool.accelerators > 0 ? accelerators / pool.accelerators : maxPodsPerNode,
  );

const isSufficient = (machine: InstanceType, { cores, memoryGib, accelerators }: MachineNeed): boolean =>
  machine.cores >= cores && machine.memoryGib >= memoryGib && machine.accelerators >= accelerators;
