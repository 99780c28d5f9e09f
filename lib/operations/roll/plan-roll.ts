import { groupSteps, isRolling } from './group-steps';
import { type MachineGroup } from './machines';
import { controlPlaneSteps } from './control-plane-steps';
import { type ObservedCluster } from './observed-cluster';
import { type RollPolicy } from './roll-policy';
import {
  needsReplacement,
  type PartialPlan,
  remainingMachines,
  type Replacement,
  type RollPlan,
  mergePlans,
  unitOf,
} from './roll-plan';

/**
 * Plans the next steps of a roll from the observed state alone, so that a process that takes over after a crash plans the
 * same. Control plane nodes come first, one at a time, then pools in sequence, those in progress first.
 */
export function planRoll(observed: ObservedCluster, policy: RollPolicy): RollPlan {
  const inScope = (group: MachineGroup): boolean => policy.only === undefined || policy.only.includes(unitOf(group));
  const groups = observed.groups.filter(inScope).sort(byOrder(observed));
  return {
    replacements: groups.flatMap((group) => replacementsOf(observed, group)),
    ...nextSteps(observed, policy, groups),
  };
}

function nextSteps(observed: ObservedCluster, policy: RollPolicy, groups: readonly MachineGroup[]): PartialPlan {
  const controlPlane = groups.filter(({ part }) => part === 'control-plane');
  const pool = groups.find((group) => group.part === 'nodes' && isRolling(observed, group));
  const isPending =
    pool !== undefined ||
    controlPlane.some((group) => remainingMachines(group).some((machine) => needsReplacement(observed, machine)));
  const next = controlPlaneSteps(observed, policy, controlPlane);
  // Pods are evicted only while the control plane is healthy and can reschedule them.
  if (next.halt || next.steps.length > 0 || next.waits.length > 0)
    return isPending || controlPlane.length > 0 ? next : mergePlans([]);
  return pool ? groupSteps(observed, policy, pool) : next;
}

const byOrder =
  (observed: ObservedCluster) =>
  (a: MachineGroup, b: MachineGroup): number =>
    orderOf(observed, a) - orderOf(observed, b) || (a.unit < b.unit ? -1 : 1);

const orderOf = (observed: ObservedCluster, group: MachineGroup): number =>
  group.part === 'control-plane'
    ? 0
    : group.desiredCapacity !== undefined || hasStarted(group)
      ? 1
      : isRolling(observed, group)
        ? 2
        : 3;

const hasStarted = (group: MachineGroup): boolean =>
  remainingMachines(group).some(({ drainingSince }) => drainingSince !== undefined);

const replacementsOf = (observed: ObservedCluster, group: MachineGroup): Replacement[] =>
  remainingMachines(group).flatMap((machine) => {
    const { id, zone } = machine;
    if (!needsReplacement(observed, machine)) return [];
    const reasons = observed.outdated.get(id) ?? ['selected by an earlier roll'];
    const node = observed.nodes.get(id)?.metadata.name;
    return [
      { group: group.name, unit: unitOf(group), machine: id, zone, reasons, ...(node !== undefined && { node }) },
    ];
  });
