import { metadataKeys, valueAt } from '../../api';
import { type LiveObject } from '../../kube';
import { planDrain, type RemainingPod } from '../drain/drain-plan';
import { isReady } from '../drain/readiness';
import { type Machine, type MachineGroup } from './machines';
import { type ObservedCluster } from './observed-cluster';
import { type RollPolicy } from './roll-policy';
import { haltPlan, type PartialPlan, unitOf, waitPlan } from './roll-plan';

/** Returns when the drain of a node started, in milliseconds since 1970; undefined if it is not being drained. */
export function drainedSince(node: LiveObject | undefined): number | undefined {
  const annotation = node?.metadata.annotations?.[metadataKeys.draining];
  const since = annotation === undefined ? Number.NaN : Date.parse(annotation);
  return Number.isNaN(since) || valueAt(node, ['spec', 'unschedulable']) !== true ? undefined : since;
}

/**
 * Plans the next step of a selected machine: cordon, drain, terminate. A machine that never became a node has no pods to
 * evict.
 */
export function drainAndTerminate(
  observed: ObservedCluster,
  policy: RollPolicy,
  group: MachineGroup,
  machine: Machine,
  shrink: boolean,
): PartialPlan {
  const node = observed.nodes.get(machine.id);
  const termination = { do: 'terminate', group: group.name, machine: machine.id, shrink } as const;
  if (!node) return { steps: [termination], waits: [] };
  const { name } = node.metadata;
  const since = drainedSince(node);
  if (since === undefined) return { steps: [{ do: 'cordon', machine: machine.id, node: name }], waits: [] };
  const pods = observed.pods.get(name);
  // The drain has just started, so the pods of the node are not listed yet.
  if (!pods) return waitPlan({ group: group.name, machine: machine.id, for: 'its pods are being listed' });
  const elapsed = observed.now - since;
  const { drained, evict, remaining, overdue } = planDrain(pods, policy.drain, { elapsed, lost: !isReady(node) });
  if (drained) return { steps: [{ ...termination, node: name }], waits: [] };
  if (overdue.length > 0) return overdueHalt(unitOf(group), name, overdue, elapsed);
  return {
    steps: evict.length > 0 ? [{ do: 'evict', node: name, pods: evict }] : [],
    waits: [{ group: group.name, machine: machine.id, for: `${name} is being drained`, pods: remaining }],
  };
}

const remedies: Readonly<Record<RemainingPod['reason'], string>> = {
  jobs: 'wait for the Jobs and rerun, or evict their pods with --evict jobs',
  bare: 'delete the pods without a controller, or evict them with --evict bare',
  annotated: 'contact their owners, or evict them with --evict annotated',
  budget: 'scale their workloads to one more ready pod than their PodDisruptionBudgets require, then rerun',
  terminating: 'find out why they do not terminate (finalizers, a container that ignores SIGTERM), then rerun',
};

function overdueHalt(unit: string, node: string, overdue: readonly RemainingPod[], elapsed: number): PartialPlan {
  const names = overdue.slice(0, 5).map(({ namespace, name, reason }) => `${namespace}/${name} (${reason})`);
  const more = overdue.length > 5 ? ` and ${overdue.length - 5} more` : '';
  const kinds = [...new Set(overdue.map(({ reason }) => reason))];
  return haltPlan(
    unit,
    `${node} still has ${names.join(', ')}${more} after ${Math.round(elapsed / 60_000)} minutes of draining`,
    kinds.map((kind) => remedies[kind]).join('; '),
  );
}
