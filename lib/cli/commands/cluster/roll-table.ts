import {
  planDrain,
  type Replacement,
  type RollHalt,
  type ObservedCluster,
  type RollPlan,
  type RollPolicy,
  type RollDeps,
  surgeOf,
} from '../../../operations';
import { listAllPages, type LiveObject } from '../../../kube';
import { textAt } from '../import/fields';
import { groupBy } from '../../output/group-by';
import { textTable } from '../../output/text-table';

/** A machine to replace, and the effect on its pods. */
export interface PreviewedReplacement extends Replacement {
  /** Number of pods to evict. */
  readonly moving: number;
  /** Number of pods to wait for. */
  readonly awaited: number;
}

/** Preview of a roll. */
export interface RollPreview {
  readonly replacements: readonly PreviewedReplacement[];
  /** Number of machines that are replaced at once, by pool. */
  readonly atOnce: Readonly<Record<string, number>>;
  /** Units that a previous roll did not finish. */
  readonly unfinished: readonly string[];
  /** Reason why even the first step is not allowed. */
  readonly halt?: RollHalt;
}

/** Returns the preview of a roll; reads the pods of all machines to replace. */
export async function rollPreview(
  { client }: RollDeps,
  observed: ObservedCluster,
  plan: RollPlan,
  policy: RollPolicy,
): Promise<RollPreview> {
  const pods = plan.replacements.length > 0 ? await listAllPages(client, 'Pod') : [];
  const podsByNode = groupBy(pods, (pod) => textAt(pod, 'spec', 'nodeName') ?? '');
  const pools = observed.groups.filter(
    ({ name, part }) => part === 'nodes' && plan.replacements.some(({ group }) => group === name),
  );
  return {
    replacements: plan.replacements.map((replacement) => ({
      ...replacement,
      ...countsOf(podsByNode.get(replacement.node ?? '') ?? [], policy),
    })),
    atOnce: Object.fromEntries(pools.map((group) => [group.unit, Math.max(0, surgeOf(group, policy))])),
    unfinished: observed.groups.filter(({ desiredCapacity }) => desiredCapacity !== undefined).map(({ unit }) => unit),
    ...(plan.halt && { halt: plan.halt }),
  };
}

function countsOf(pods: readonly LiveObject[], { drain }: RollPolicy): { moving: number; awaited: number } {
  const { remaining } = planDrain(pods, drain, { elapsed: 0, lost: false });
  const moving = remaining.filter(({ reason }) => reason === 'budget' || reason === 'terminating').length;
  return { moving, awaited: remaining.length - moving };
}

/** Maximum number of reasons shown per machine. */
const maxReasons = 3;

/** Returns the preview as text: one line for each machine, then the order of the roll. */
export function rollTable({ replacements, atOnce, unfinished, halt }: RollPreview): string {
  if (replacements.length === 0)
    return unfinished.length > 0
      ? `Nothing is left to replace; the roll of ${unfinished.join(', ')} will be completed.\n`
      : 'Nothing to replace: every machine matches its launch template.\n';
  const rows = replacements.map(({ unit, machine, node, zone, moving, awaited, reasons }) => [
    unit,
    machine,
    node ?? '-',
    zone,
    String(moving),
    String(awaited),
    `${reasons.slice(0, maxReasons).join(', ')}${reasons.length > maxReasons ? `, and ${reasons.length - maxReasons} more` : ''}`,
  ]);
  const controlPlaneCount = replacements.filter(({ unit }) => unit.startsWith('control-plane-')).length;
  const lines = [
    ...(controlPlaneCount > 0
      ? [
          `${controlPlaneCount} control plane ${controlPlaneCount === 1 ? 'node' : 'nodes, one at a time'}, before all pools`,
        ]
      : []),
    ...Object.entries(atOnce).map(([pool, count]) => `pool ${pool}: ${count} at once, new machines first`),
    ...(halt ? [`It would halt immediately: ${halt.unit}: ${halt.reason}; ${halt.remedy}`] : []),
  ];
  return `${textTable(['UNIT', 'MACHINE', 'NODE', 'ZONE', 'MOVES', 'AWAITS', 'WHY'], rows)}\n${lines.join('\n')}\n`;
}
