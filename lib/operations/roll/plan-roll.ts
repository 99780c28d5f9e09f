import { groupSteps, isRolling } from './group-steps';
import { type MachineGroup } from './machines';
import { masterSteps } from './master-steps';
import { type RollObserved } from './observed';
import { type RollPolicy } from './roll-policy';
import { isToGo, type PartialPlan, present, type Replacement, type RollPlan, together, unitOf } from './steps';

/**
 * What a roll does next, from what is seen now and nothing else: a process that takes over from one that crashed plans
 * the same. Masters come first, one at a time; then pools, one after the other, those that were begun before the rest.
 */
export function planRoll(observed: RollObserved, policy: RollPolicy): RollPlan {
  const inScope = (group: MachineGroup): boolean => policy.only === undefined || policy.only.includes(unitOf(group));
  const groups = observed.groups.filter(inScope).sort(byTurn(observed));
  return {
    replacements: groups.flatMap((group) => replacementsOf(observed, group)),
    ...nextSteps(observed, policy, groups),
  };
}

function nextSteps(observed: RollObserved, policy: RollPolicy, groups: readonly MachineGroup[]): PartialPlan {
  const mine = groups.filter(({ part }) => part === 'master');
  const pool = groups.find((group) => group.part === 'nodes' && isRolling(observed, group));
  const toDo = pool !== undefined || mine.some((group) => present(group).some((machine) => isToGo(observed, machine)));
  const masters = masterSteps(observed, policy, mine);
  // Pods are moved only while the control plane can see to them.
  if (masters.halt || masters.steps.length > 0 || masters.waits.length > 0)
    return toDo || mine.length > 0 ? masters : together([]);
  return pool ? groupSteps(observed, policy, pool) : masters;
}

const byTurn =
  (observed: RollObserved) =>
  (a: MachineGroup, b: MachineGroup): number =>
    turnOf(observed, a) - turnOf(observed, b) || (a.unit < b.unit ? -1 : 1);

const turnOf = (observed: RollObserved, group: MachineGroup): number =>
  group.part === 'master' ? 0 : group.base !== undefined || isBegun(group) ? 1 : isRolling(observed, group) ? 2 : 3;

const isBegun = (group: MachineGroup): boolean => present(group).some(({ leavingSince }) => leavingSince !== undefined);

const replacementsOf = (observed: RollObserved, group: MachineGroup): Replacement[] =>
  present(group).flatMap((machine) => {
    const { id, zone } = machine;
    if (!isToGo(observed, machine)) return [];
    const reasons = observed.outdated.get(id) ?? ['chosen to leave by a roll before'];
    const node = observed.nodes.get(id)?.metadata.name;
    return [
      { group: group.name, unit: unitOf(group), machine: id, zone, reasons, ...(node !== undefined && { node }) },
    ];
  });
