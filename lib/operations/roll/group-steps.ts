import { isReady } from '../drain/readiness';
import { drainedSince, drainAndTerminate } from './drain-and-terminate';
import { type Machine, type MachineGroup } from './machines';
import { type ObservedCluster } from './observed-cluster';
import { type RollPolicy } from './roll-policy';
import {
  haltPlan,
  needsReplacement,
  emptyPlan,
  type PartialPlan,
  remainingMachines,
  type RollStep,
  mergePlans,
  unitOf,
  waitPlan,
} from './roll-plan';

/** Returns how many machines of a pool may be replaced at a time; 0 if the pool cannot grow. */
export function surgeOf(group: MachineGroup, { surge, inPlace }: RollPolicy): number {
  const desiredCapacity = group.desiredCapacity ?? group.size;
  const requested = 'count' in surge ? surge.count : Math.max(1, Math.floor((desiredCapacity * surge.percent) / 100));
  return inPlace ? requested : Math.min(requested, group.max - desiredCapacity);
}

/** Returns whether a roll of a pool is pending or in progress. */
export const isRolling = (observed: ObservedCluster, group: MachineGroup): boolean =>
  group.desiredCapacity !== undefined ||
  remainingMachines(group).some((machine) => needsReplacement(observed, machine));

/**
 * Plans the next steps of a pool: new machines start before old ones are drained. The cloud stores the desired capacity
 * without the surge and a mark on each draining machine; the size follows: size = desired capacity + draining.
 */
export function groupSteps(observed: ObservedCluster, policy: RollPolicy, group: MachineGroup): PartialPlan {
  if (!isRolling(observed, group)) return emptyPlan;
  const machines = remainingMachines(group);
  if (surgeOf(group, policy) < 1 && machines.some((machine) => needsReplacement(observed, machine)))
    return noCapacityHalt(group);
  const draining = machines.filter(({ drainingSince }) => drainingSince !== undefined);
  const extra = policy.inPlace ? 0 : draining.length;
  const { name } = group;
  if (group.desiredCapacity === undefined)
    return {
      steps: [{ do: 'save-desired-capacity', group: name, desiredCapacity: group.size - extra, starts: unitOf(group) }],
      waits: [],
    };
  // Another client, such as the cluster autoscaler, scaled the group up in the meantime.
  if (group.size > group.desiredCapacity + extra)
    return { steps: [{ do: 'save-desired-capacity', group: name, desiredCapacity: group.size - extra }], waits: [] };
  if (group.size < group.desiredCapacity + extra)
    return { steps: [{ do: 'resize', group: name, size: group.desiredCapacity + extra }], waits: [] };
  const newMachines = newMachineSteps(observed, policy, group);
  if (!machines.some((machine) => needsReplacement(observed, machine)))
    return newMachines.halt || newMachines.waits.length > 0
      ? newMachines
      : { steps: [{ do: 'clear-desired-capacity', group: name }], waits: [] };
  return mergePlans([newMachines, selectMachines(observed, policy, group), drainSteps(observed, policy, group)]);
}

const noCapacityHalt = (group: MachineGroup): PartialPlan =>
  haltPlan(
    unitOf(group),
    `the pool has ${group.desiredCapacity ?? group.size} machines and a maximum of ${group.max}, so no new machine can start first`,
    'raise its maximum, or terminate old machines first with --in-place',
  );

/** Halts when a new machine does not become a ready node in time, because later ones would not either. */
function newMachineSteps(observed: ObservedCluster, policy: RollPolicy, group: MachineGroup): PartialPlan {
  const { now } = observed;
  const unready = remainingMachines(group).filter(
    (machine) => !needsReplacement(observed, machine) && !isReadyNode(observed, machine),
  );
  const late = unready.filter(({ launchedAt }) => now - launchedAt > policy.machineTimeout);
  const minutes = Math.round(policy.machineTimeout / 60_000);
  if (late.length > 0)
    return haltPlan(
      unitOf(group),
      `${late.map(({ id }) => id).join(', ')} of the current template is not a ready node ${minutes} minutes after its launch`,
      'check pinion-worker.service on that machine, correct the template or terminate the machine, then rerun',
    );
  const missing = group.size - remainingMachines(group).length;
  const failure = observed.failures.get(group.name);
  if (missing > 0 && now - (observed.belowSizeSince.get(group.name) ?? now) > policy.machineTimeout)
    return haltPlan(
      unitOf(group),
      `${missing} new machines did not start within ${minutes} minutes${failure === undefined ? '' : `: ${failure}`}`,
      'raise the account limits, or allow more instance types or zones, then rerun',
    );
  const count = Math.max(0, missing) + unready.length;
  if (count === 0) return emptyPlan;
  const detail = failure === undefined ? '' : ` (${failure})`;
  return waitPlan({ group: group.name, for: `${count} new ${count === 1 ? 'machine' : 'machines'}${detail}` });
}

const isReadyNode = ({ nodes }: ObservedCluster, { id, state }: Machine): boolean => {
  const node = nodes.get(id);
  return state === 'in-service' && node !== undefined && isReady(node);
};

function selectMachines(observed: ObservedCluster, policy: RollPolicy, group: MachineGroup): PartialPlan {
  const machines = remainingMachines(group);
  const surge = surgeOf(group, policy);
  const draining = machines.filter(({ drainingSince }) => drainingSince !== undefined).length;
  // Machines that are starting become ready before more are requested.
  const starting =
    Math.max(0, group.size - machines.length) +
    machines.filter((machine) => !needsReplacement(observed, machine) && !isReadyNode(observed, machine)).length;
  const available = policy.inPlace ? surge - draining - starting : surge - draining;
  const next = machines
    .filter(({ id, drainingSince }) => drainingSince === undefined && observed.outdated.has(id))
    .sort((a, b) => order(observed, a) - order(observed, b) || a.launchedAt - b.launchedAt || (a.id < b.id ? -1 : 1))
    .slice(0, Math.max(0, available));
  return {
    steps: next.map(({ id }): RollStep => ({ do: 'mark-draining', group: group.name, machine: id })),
    waits: [],
  };
}

/** Machines that are not ready nodes are replaced first. */
const order = (observed: ObservedCluster, machine: Machine): number => (isReadyNode(observed, machine) ? 1 : 0);

/** Drains selected machines while more nodes than needed are ready. Machines that are not ready are drained immediately. */
function drainSteps(observed: ObservedCluster, policy: RollPolicy, group: MachineGroup): PartialPlan {
  const machines = remainingMachines(group);
  const desiredCapacity = group.desiredCapacity ?? group.size;
  const minReady = policy.inPlace ? desiredCapacity - surgeOf(group, policy) : desiredCapacity;
  const isDraining = ({ id }: Machine): boolean => drainedSince(observed.nodes.get(id)) !== undefined;
  const ready = machines.filter((machine) => isReadyNode(observed, machine));
  let surplus = ready.length - minReady - ready.filter(isDraining).length;
  const plans = machines
    .filter(({ drainingSince }) => drainingSince !== undefined)
    .map((machine): PartialPlan => {
      const isNeeded = isReadyNode(observed, machine) && !isDraining(machine);
      if (isNeeded && surplus < 1)
        return waitPlan({ group: group.name, machine: machine.id, for: 'new nodes are not ready yet' });
      if (isNeeded) surplus -= 1;
      return drainAndTerminate(observed, policy, group, machine, !policy.inPlace);
    });
  return mergePlans(plans);
}
