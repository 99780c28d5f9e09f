import { keys, valueAt } from '../../api';
import { type LiveObject } from '../../kube';
import { planDrain, type StayingPod } from '../drain/drain-plan';
import { isReady } from '../drain/readiness';
import { type Machine, type MachineGroup } from './machines';
import { type RollObserved } from './observed';
import { type RollPolicy } from './roll-policy';
import { halting, type PartialPlan, unitOf, waiting } from './steps';

/** Since when a node is being drained for a roll, in milliseconds since 1970; undefined where it is not. */
export function drainedSince(node: LiveObject | undefined): number | undefined {
  const said = node?.metadata.annotations?.[keys.draining];
  const since = said === undefined ? Number.NaN : Date.parse(said);
  return Number.isNaN(since) || valueAt(node, ['spec', 'unschedulable']) !== true ? undefined : since;
}

/**
 * The next step of a chosen machine on its way out: no new pods, then none at all, then its end. A machine that never
 * became a node has no pods to move.
 */
export function leave(
  observed: RollObserved,
  policy: RollPolicy,
  group: MachineGroup,
  machine: Machine,
  shrink: boolean,
): PartialPlan {
  const node = observed.nodes.get(machine.id);
  const ended = { do: 'terminate', group: group.name, machine: machine.id, shrink } as const;
  if (!node) return { steps: [ended], waits: [] };
  const { name } = node.metadata;
  const since = drainedSince(node);
  if (since === undefined) return { steps: [{ do: 'cordon', machine: machine.id, node: name }], waits: [] };
  const pods = observed.pods.get(name);
  // It is drained since a moment ago: its pods are not read yet.
  if (!pods) return waiting({ group: group.name, machine: machine.id, for: `its pods are looked at` });
  const elapsed = observed.now - since;
  const { drained, evict, staying, overdue } = planDrain(pods, policy.drain, { elapsed, lost: !isReady(node) });
  if (drained) return { steps: [{ ...ended, node: name }], waits: [] };
  if (overdue.length > 0) return overdueHalt(unitOf(group), name, overdue, elapsed);
  return {
    steps: evict.length > 0 ? [{ do: 'evict', node: name, pods: evict }] : [],
    waits: [{ group: group.name, machine: machine.id, for: `${name} is being drained`, pods: staying }],
  };
}

const remedies: Readonly<Record<StayingPod['because'], string>> = {
  jobs: 'wait for the Jobs and run the same again, or have their pods evicted with --evict jobs',
  bare: 'delete those that nobody makes anew, or have them evicted with --evict bare',
  asked: 'ask their owners, or have them evicted with --evict asked',
  budget:
    'let their workloads have one more ready pod than their PodDisruptionBudgets ask for, then run the same again',
  ending: 'look why they do not end (finalizers, a container that ignores SIGTERM), then run the same again',
};

function overdueHalt(unit: string, node: string, overdue: readonly StayingPod[], elapsed: number): PartialPlan {
  const names = overdue.slice(0, 5).map(({ namespace, name, because }) => `${namespace}/${name} (${because})`);
  const more = overdue.length > 5 ? ` and ${overdue.length - 5} more` : '';
  const kinds = [...new Set(overdue.map(({ because }) => because))];
  return halting(
    unit,
    `${node} still has ${names.join(', ')}${more} after ${Math.round(elapsed / 60_000)} minutes of draining`,
    kinds.map((kind) => remedies[kind]).join('; '),
  );
}
