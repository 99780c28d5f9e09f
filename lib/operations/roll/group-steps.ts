import { isReady } from '../drain/readiness';
import { drainedSince, leave } from './leave';
import { type Machine, type MachineGroup } from './machines';
import { type RollObserved } from './observed';
import { type RollPolicy } from './roll-policy';
import { halting, isToGo, nothing, type PartialPlan, present, type RollStep, together, unitOf, waiting } from './steps';

/** How many machines of a pool may leave at once; 0 where it has no room for a new one first. */
export function surgeOf(group: MachineGroup, { surge, inPlace }: RollPolicy): number {
  const base = group.base ?? group.size;
  const asked = 'count' in surge ? surge.count : Math.max(1, Math.floor((base * surge.percent) / 100));
  return inPlace ? asked : Math.min(asked, group.max - base);
}

/** Whether a roll has something to do, or to finish, in a pool. */
export const isRolling = (observed: RollObserved, group: MachineGroup): boolean =>
  group.base !== undefined || present(group).some((machine) => isToGo(observed, machine));

/**
 * The next steps of a pool: new machines come before old ones leave. Kept in the cloud are the base (how many machines
 * there are apart from those that are leaving) and a mark on each that leaves; everything else follows from them:
 * size = base + leaving.
 */
export function groupSteps(observed: RollObserved, policy: RollPolicy, group: MachineGroup): PartialPlan {
  if (!isRolling(observed, group)) return nothing;
  const here = present(group);
  if (surgeOf(group, policy) < 1 && here.some((machine) => isToGo(observed, machine))) return cramped(group);
  const leaving = here.filter(({ leavingSince }) => leavingSince !== undefined);
  const extra = policy.inPlace ? 0 : leaving.length;
  const { name } = group;
  if (group.base === undefined)
    return { steps: [{ do: 'keep-base', group: name, base: group.size - extra, begins: unitOf(group) }], waits: [] };
  // Somebody else, such as the cluster autoscaler, made the group larger meanwhile.
  if (group.size > group.base + extra)
    return { steps: [{ do: 'keep-base', group: name, base: group.size - extra }], waits: [] };
  if (group.size < group.base + extra)
    return { steps: [{ do: 'resize', group: name, size: group.base + extra }], waits: [] };
  const arriving = arrivals(observed, policy, group);
  if (!here.some((machine) => isToGo(observed, machine)))
    return arriving.halt || arriving.waits.length > 0
      ? arriving
      : { steps: [{ do: 'forget-base', group: name }], waits: [] };
  return together([arriving, choices(observed, policy, group), departures(observed, policy, group)]);
}

const cramped = (group: MachineGroup): PartialPlan =>
  halting(
    unitOf(group),
    `the pool has ${group.base ?? group.size} machines and may not have more than ${group.max}, so no new one can come first`,
    'raise its maximum by one or more, or let old machines go first with --in-place',
  );

/** A new machine that does not become a node in time stops the roll: more of them would not either. */
function arrivals(observed: RollObserved, policy: RollPolicy, group: MachineGroup): PartialPlan {
  const { now } = observed;
  const unready = present(group).filter((machine) => !isToGo(observed, machine) && !isReadyNode(observed, machine));
  const late = unready.filter(({ launched }) => now - launched > policy.machinePatience);
  const minutes = Math.round(policy.machinePatience / 60_000);
  if (late.length > 0)
    return halting(
      unitOf(group),
      `${late.map(({ id }) => id).join(', ')} of the newest template is no ready node ${minutes} minutes after its start`,
      'look at pinion-worker.service of that machine; give the template what it lacks, or end the machine; then run the same again',
    );
  const missing = group.size - present(group).length;
  const failure = observed.failures.get(group.name);
  if (missing > 0 && now - (observed.shortSince.get(group.name) ?? now) > policy.machinePatience)
    return halting(
      unitOf(group),
      `${missing} new machines did not come within ${minutes} minutes${failure === undefined ? '' : `: ${failure}`}`,
      'let the account have the machines, or offer more types or zones; then run the same again',
    );
  const count = Math.max(0, missing) + unready.length;
  if (count === 0) return nothing;
  const why = failure === undefined ? '' : ` (${failure})`;
  return waiting({ group: group.name, for: `${count} new ${count === 1 ? 'machine' : 'machines'}${why}` });
}

const isReadyNode = ({ nodes }: RollObserved, { id, state }: Machine): boolean => {
  const node = nodes.get(id);
  return state === 'in-service' && node !== undefined && isReady(node);
};

function choices(observed: RollObserved, policy: RollPolicy, group: MachineGroup): PartialPlan {
  const here = present(group);
  const surge = surgeOf(group, policy);
  const leaving = here.filter(({ leavingSince }) => leavingSince !== undefined).length;
  // What came before is to be of use before more is asked for.
  const coming =
    Math.max(0, group.size - here.length) +
    here.filter((machine) => !isToGo(observed, machine) && !isReadyNode(observed, machine)).length;
  const room = policy.inPlace ? surge - leaving - coming : surge - leaving;
  const next = here
    .filter(({ id, leavingSince }) => leavingSince === undefined && observed.outdated.has(id))
    .sort((a, b) => order(observed, a) - order(observed, b) || a.launched - b.launched || (a.id < b.id ? -1 : 1))
    .slice(0, Math.max(0, room));
  return { steps: next.map(({ id }): RollStep => ({ do: 'choose', group: group.name, machine: id })), waits: [] };
}

/** What is of no use goes first. */
const order = (observed: RollObserved, machine: Machine): number => (isReadyNode(observed, machine) ? 1 : 0);

/** Machines that may go do so: as many as there are ready ones beyond what is needed. Those that are not ready are no loss. */
function departures(observed: RollObserved, policy: RollPolicy, group: MachineGroup): PartialPlan {
  const here = present(group);
  const base = group.base ?? group.size;
  const least = policy.inPlace ? base - surgeOf(group, policy) : base;
  const isBegun = ({ id }: Machine): boolean => drainedSince(observed.nodes.get(id)) !== undefined;
  const ready = here.filter((machine) => isReadyNode(observed, machine));
  let spareable = ready.length - least - ready.filter(isBegun).length;
  const parts = here
    .filter(({ leavingSince }) => leavingSince !== undefined)
    .map((machine): PartialPlan => {
      const isLoss = isReadyNode(observed, machine) && !isBegun(machine);
      if (isLoss && spareable < 1)
        return waiting({ group: group.name, machine: machine.id, for: 'new nodes are not ready yet' });
      if (isLoss) spareable -= 1;
      return leave(observed, policy, group, machine, !policy.inPlace);
    });
  return together(parts);
}
