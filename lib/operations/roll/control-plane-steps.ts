import { drainAndTerminate } from './drain-and-terminate';
import { type Machine, type MachineGroup } from './machines';
import { type ControlPlaneHealth, type ObservedCluster } from './observed-cluster';
import { maxLogLag, type RollPolicy } from './roll-policy';
import {
  haltPlan,
  needsReplacement,
  emptyPlan,
  type PartialPlan,
  remainingMachines,
  unitOf,
  waitPlan,
} from './roll-plan';

/** Unhealthy control plane node, with the reason. */
interface UnhealthyNode {
  readonly group: MachineGroup;
  readonly reason: string;
  /** Whether its machine is being replaced. */
  readonly replacing: boolean;
}

/** Plans the next steps of control plane nodes: one at a time, and only while all others are healthy. */
export function controlPlaneSteps(
  observed: ObservedCluster,
  policy: RollPolicy,
  replaceable: readonly MachineGroup[],
): PartialPlan {
  const groups = observed.groups.filter(({ part }) => part === 'control-plane');
  const halt = alarmHalt(observed.controlPlane);
  if (halt) return halt;
  const unhealthy = groups.flatMap((group) => unhealthyNodeOf(observed, group) ?? []);
  const [first, second] = unhealthy;
  if (first && second) return waitForSeveral(observed, policy, unhealthy);
  if (first) {
    // An unhealthy node that needs replacement is replaced first, because no other node is touched while it is unhealthy.
    const machine = replaceable.includes(first.group) ? outdatedOf(observed, first.group) : undefined;
    if (machine && !first.replacing) return replace(observed, policy, groups, first.group, machine);
    return waitForNode(observed, policy, first);
  }
  const next = nextNode(observed, replaceable);
  return next ? replace(observed, policy, groups, next.group, next.machine) : emptyPlan;
}

/** Returns the node that is already being replaced, otherwise an etcd follower before the leader, by name. */
function nextNode(
  observed: ObservedCluster,
  groups: readonly MachineGroup[],
): { readonly group: MachineGroup; readonly machine: Machine } | undefined {
  const isLeader = (member: string): boolean =>
    observed.controlPlane.some((node) => node.member === member && node.databases.some(({ leader }) => leader));
  return groups
    .flatMap((group) => {
      const machine = outdatedOf(observed, group);
      return machine ? [{ group, machine, rank: rankOf(machine, isLeader(group.unit)) }] : [];
    })
    .sort((a, b) => a.rank - b.rank || (a.group.unit < b.group.unit ? -1 : 1))[0];
}

const rankOf = ({ drainingSince }: Machine, isLeader: boolean): number =>
  drainingSince !== undefined ? 0 : isLeader ? 2 : 1;

const outdatedOf = (observed: ObservedCluster, group: MachineGroup): Machine | undefined =>
  remainingMachines(group).find((machine) => needsReplacement(observed, machine));

function replace(
  observed: ObservedCluster,
  policy: RollPolicy,
  groups: readonly MachineGroup[],
  group: MachineGroup,
  machine: Machine,
): PartialPlan {
  const others = groups.length - 1;
  if (others < Math.floor(groups.length / 2) + 1 && !policy.acceptOutage)
    return haltPlan(
      unitOf(group),
      `${others} of ${groups.length} control plane nodes would remain, and etcd needs ${Math.floor(groups.length / 2) + 1}: the API would be unavailable until the new machine is ready`,
      'run it in a maintenance window with --accept-outage, or use three control plane nodes',
    );
  if (machine.drainingSince === undefined)
    return {
      steps: [{ do: 'mark-draining', group: group.name, machine: machine.id, starts: unitOf(group) }],
      waits: [],
    };
  return drainAndTerminate(observed, policy, group, machine, false);
}

/** Returns why a control plane node is not healthy; undefined if it is. */
function unhealthyNodeOf(observed: ObservedCluster, group: MachineGroup): UnhealthyNode | undefined {
  const machines = remainingMachines(group);
  const [machine, ...more] = machines;
  if (group.machines.some(({ state }) => state === 'terminating'))
    return { group, reason: 'its machine is terminating', replacing: true };
  if (!machine) return { group, reason: 'it has no machine', replacing: true };
  if (more.length > 0) return { group, reason: `it has ${machines.length} machines`, replacing: true };
  if (machine.state === 'pending') return { group, reason: 'its machine is starting', replacing: true };
  const health = observed.controlPlane.find(({ member }) => member === group.unit);
  const reason = unhealthyReasonOf(health, observed.controlPlane);
  return reason === undefined ? undefined : { group, reason, replacing: false };
}

/** Returns why a control plane node is unhealthy, as a clause; undefined if it is healthy. `all` are its peers. */
export function unhealthyReasonOf(
  health: ControlPlaneHealth | undefined,
  all: readonly ControlPlaneHealth[],
): string | undefined {
  if (!health) return 'its address is unknown: it has no persistent network interface';
  if (health.unhealthyReason !== undefined) return `its API server is not ready: ${health.unhealthyReason}`;
  if (health.databases.length === 0) return 'its etcd databases are unknown: no volume is tagged for them';
  for (const { database, unhealthyReason: reason, learner, applied } of health.databases) {
    if (reason !== undefined) return `its member of etcd ${database} is unhealthy: ${reason}`;
    if (learner) return `its member of etcd ${database} is a learner without a vote`;
    const newest = Math.max(
      ...all.flatMap((one) => one.databases.filter((other) => other.database === database).map((o) => o.committed)),
    );
    if (newest - applied > maxLogLag)
      return `its member of etcd ${database} is ${newest - applied} entries behind its peers`;
  }
  return undefined;
}

function alarmHalt(nodes: readonly ControlPlaneHealth[]): PartialPlan | undefined {
  for (const { member, databases } of nodes)
    for (const { database, alarms } of databases)
      if (alarms.length > 0)
        return haltPlan(
          `control-plane-${member}`,
          `etcd ${database} has the alarm ${alarms.join(', ')}`,
          alarms.includes('CORRUPT')
            ? 'find the member whose data differs and rebuild it from the others before anything else'
            : 'compact, defragment member by member, disarm the alarm, then rerun',
        );
  return undefined;
}

const sinceOf = (observed: ObservedCluster, { group }: UnhealthyNode): number =>
  observed.controlPlane.find(({ member }) => member === group.unit)?.unhealthySince ?? observed.now;

function waitForNode(observed: ObservedCluster, policy: RollPolicy, unhealthy: UnhealthyNode): PartialPlan {
  const { group, reason } = unhealthy;
  const machine = remainingMachines(group)[0];
  const isNew = machine !== undefined && observed.now - machine.launchedAt < policy.machineTimeout;
  const timeout = unhealthy.replacing || isNew ? policy.machineTimeout : policy.unhealthyTimeout;
  // Without a machine, the time since the node became unhealthy counts instead of the machine's age.
  const since = isNew && machine ? machine.launchedAt : sinceOf(observed, unhealthy);
  if (observed.now - since <= timeout) return waitPlan({ group: group.name, for: `${unitOf(group)}: ${reason}` });
  const failure = observed.failures.get(group.name);
  return haltPlan(
    unitOf(group),
    `${reason}${failure === undefined ? '' : `; last scaling activity: ${failure}`}, for ${Math.round((observed.now - since) / 60_000)} minutes`,
    'check pinion-control-plane.service and the etcd units on that machine, or correct its template, then rerun',
  );
}

function waitForSeveral(
  observed: ObservedCluster,
  policy: RollPolicy,
  unhealthy: readonly UnhealthyNode[],
): PartialPlan {
  const text = unhealthy.map(({ group, reason }) => `${unitOf(group)}: ${reason}`).join('; ');
  const longest = Math.max(...unhealthy.map((one) => observed.now - sinceOf(observed, one)));
  if (longest <= policy.unhealthyTimeout) return waitPlan({ group: unhealthy[0]?.group.name ?? '', for: text });
  return haltPlan(
    unhealthy.map(({ group }) => unitOf(group)).join(' and '),
    `more than one control plane node is unhealthy: ${text}`,
    'repair all but one of them, then rerun',
  );
}
