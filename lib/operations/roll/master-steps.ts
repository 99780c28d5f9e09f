import { leave } from './leave';
import { type Machine, type MachineGroup } from './machines';
import { type MasterHealth, type RollObserved } from './observed';
import { mostBehind, type RollPolicy } from './roll-policy';
import { halting, isToGo, nothing, type PartialPlan, present, unitOf, waiting } from './steps';

/** A master that cannot be counted on now, and why. */
interface Unsound {
  readonly group: MachineGroup;
  readonly reason: string;
  /** Nobody needs to be told: a machine is on its way. */
  readonly changing: boolean;
}

/** The next steps of masters, of those that may be replaced: one at a time, and only while all others are sound. */
export function masterSteps(
  observed: RollObserved,
  policy: RollPolicy,
  replaceable: readonly MachineGroup[],
): PartialPlan {
  const groups = observed.groups.filter(({ part }) => part === 'master');
  const alarmed = alarm(observed.masters);
  if (alarmed) return alarmed;
  const unsound = groups.flatMap((group) => unsoundness(observed, group) ?? []);
  const [first, second] = unsound;
  if (first && second) return unsoundSeveral(observed, policy, unsound);
  if (first) {
    // What is ill and to be replaced anyway is replaced first: no other master is touched while it is ill.
    const machine = replaceable.includes(first.group) ? outdatedOf(observed, first.group) : undefined;
    if (machine && !first.changing) return replace(observed, policy, groups, first.group, machine);
    return patiently(observed, policy, first);
  }
  const next = nextMaster(observed, replaceable);
  return next ? replace(observed, policy, groups, next.group, next.machine) : nothing;
}

/** The master that is on its way already, else those that follow before the one that leads, by name. */
function nextMaster(
  observed: RollObserved,
  groups: readonly MachineGroup[],
): { readonly group: MachineGroup; readonly machine: Machine } | undefined {
  const leads = (member: string): boolean =>
    observed.masters.some((master) => master.member === member && master.databases.some(({ leader }) => leader));
  return groups
    .flatMap((group) => {
      const machine = outdatedOf(observed, group);
      return machine ? [{ group, machine, rank: rankOf(machine, leads(group.unit)) }] : [];
    })
    .sort((a, b) => a.rank - b.rank || (a.group.unit < b.group.unit ? -1 : 1))[0];
}

const rankOf = ({ leavingSince }: Machine, leads: boolean): number => (leavingSince !== undefined ? 0 : leads ? 2 : 1);

const outdatedOf = (observed: RollObserved, group: MachineGroup): Machine | undefined =>
  present(group).find((machine) => isToGo(observed, machine));

function replace(
  observed: RollObserved,
  policy: RollPolicy,
  groups: readonly MachineGroup[],
  group: MachineGroup,
  machine: Machine,
): PartialPlan {
  const others = groups.length - 1;
  if (others < Math.floor(groups.length / 2) + 1 && !policy.acceptOutage)
    return halting(
      unitOf(group),
      `of ${groups.length} masters ${others} would be left, and the databases need ${Math.floor(groups.length / 2) + 1}: the API would be away until the new machine is there`,
      'take a moment when that may be and give --accept-outage, or have three masters',
    );
  if (machine.leavingSince === undefined)
    return { steps: [{ do: 'choose', group: group.name, machine: machine.id, begins: unitOf(group) }], waits: [] };
  return leave(observed, policy, group, machine, false);
}

/** Why a master is not to be counted on; undefined where it is sound. */
function unsoundness(observed: RollObserved, group: MachineGroup): Unsound | undefined {
  const here = present(group);
  const [machine, ...more] = here;
  if (group.machines.some(({ state }) => state === 'going'))
    return { group, reason: 'its machine is being ended', changing: true };
  if (!machine) return { group, reason: 'it has no machine', changing: true };
  if (more.length > 0) return { group, reason: `it has ${here.length} machines`, changing: true };
  if (machine.state === 'coming') return { group, reason: 'its machine is starting', changing: true };
  const health = observed.masters.find(({ member }) => member === group.unit);
  const illness = illnessOf(health, observed.masters);
  return illness === undefined ? undefined : { group, reason: illness, changing: false };
}

/** What is wrong with a master, as a clause; undefined where nothing is. `all` are those that it must keep up with. */
export function illnessOf(health: MasterHealth | undefined, all: readonly MasterHealth[]): string | undefined {
  if (!health) return 'nobody knows where it is met: it has no interface of its own';
  if (health.illness !== undefined) return `its API server is not ready: ${health.illness}`;
  if (health.databases.length === 0) return 'none of its databases is known: no volume is tagged as theirs';
  for (const { database, illness, learner, applied } of health.databases) {
    if (illness !== undefined) return `its member of etcd ${database} is not healthy: ${illness}`;
    if (learner) return `its member of etcd ${database} is a learner still, without a vote`;
    const newest = Math.max(
      ...all.flatMap((one) => one.databases.filter((other) => other.database === database).map((o) => o.committed)),
    );
    if (newest - applied > mostBehind)
      return `its member of etcd ${database} is ${newest - applied} entries behind the others`;
  }
  return undefined;
}

function alarm(masters: readonly MasterHealth[]): PartialPlan | undefined {
  for (const { member, databases } of masters)
    for (const { database, alarms } of databases)
      if (alarms.length > 0)
        return halting(
          `master-${member}`,
          `etcd ${database} has the alarm ${alarms.join(', ')}`,
          alarms.includes('CORRUPT')
            ? 'find the member whose data differs and make it anew from the others before anything else'
            : 'compact, defragment member by member, disarm the alarm, then run the same again',
        );
  return undefined;
}

const sinceOf = (observed: RollObserved, { group }: Unsound): number =>
  observed.masters.find(({ member }) => member === group.unit)?.illSince ?? observed.now;

function patiently(observed: RollObserved, policy: RollPolicy, unsound: Unsound): PartialPlan {
  const { group, reason } = unsound;
  const machine = present(group)[0];
  const isNew = machine !== undefined && observed.now - machine.launched < policy.machinePatience;
  const patience = unsound.changing || isNew ? policy.machinePatience : policy.illnessPatience;
  // A machine that is not there has no age: since when the master is ill is what is known then.
  const since = isNew && machine ? machine.launched : sinceOf(observed, unsound);
  if (observed.now - since <= patience) return waiting({ group: group.name, for: `${unitOf(group)}: ${reason}` });
  const failure = observed.failures.get(group.name);
  return halting(
    unitOf(group),
    `${reason}${failure === undefined ? '' : `; the group says: ${failure}`}, for ${Math.round((observed.now - since) / 60_000)} minutes`,
    'look at pinion-master.service and the etcd units of that machine, or give its template what it lacks; then run the same again',
  );
}

function unsoundSeveral(observed: RollObserved, policy: RollPolicy, unsound: readonly Unsound[]): PartialPlan {
  const text = unsound.map(({ group, reason }) => `${unitOf(group)}: ${reason}`).join('; ');
  const longest = Math.max(...unsound.map((one) => observed.now - sinceOf(observed, one)));
  if (longest <= policy.illnessPatience) return waiting({ group: unsound[0]?.group.name ?? '', for: text });
  return halting(
    unsound.map(({ group }) => unitOf(group)).join(' and '),
    `more than one master is ill: ${text}`,
    'nothing is touched before all but one are healthy; heal them, then run the same again',
  );
}
