import { type LiveObject } from '../../kube';
import { type RemainingPod } from '../drain/drain-plan';
import { type Machine, type MachineGroup } from './machines';
import { type ReplacementReasons, type ObservedCluster } from './observed-cluster';

/** A step of a roll, idempotent. `starts` names a unit that was not touched before. */
export type RollStep =
  | {
      readonly do: 'save-desired-capacity';
      readonly group: string;
      readonly desiredCapacity: number;
      readonly starts?: string;
    }
  | { readonly do: 'clear-desired-capacity'; readonly group: string }
  | { readonly do: 'mark-draining'; readonly group: string; readonly machine: string; readonly starts?: string }
  | { readonly do: 'resize'; readonly group: string; readonly size: number }
  | { readonly do: 'cordon'; readonly machine: string; readonly node: string }
  | { readonly do: 'evict'; readonly node: string; readonly pods: readonly LiveObject[] }
  | {
      readonly do: 'terminate';
      readonly group: string;
      readonly machine: string;
      readonly node?: string;
      readonly shrink: boolean;
    };

/** Something that a roll waits for. */
export interface RollWait {
  readonly group: string;
  readonly machine?: string;
  /** What the roll waits for, as a clause. */
  readonly for: string;
  readonly pods?: readonly RemainingPod[];
}

/** Reason why a roll halts, and the remedy. */
export interface RollHalt {
  readonly unit: string;
  /** A clause without a full stop. */
  readonly reason: string;
  /** An instruction without a full stop. */
  readonly remedy: string;
}

/** A machine to replace. */
export interface Replacement {
  readonly group: string;
  readonly unit: string;
  readonly machine: string;
  readonly zone: string;
  readonly node?: string;
  readonly reasons: ReplacementReasons;
}

/** Next steps of a roll. A plan without replacements, steps and waits is complete. */
export interface RollPlan {
  /** Machines still to replace, in order. */
  readonly replacements: readonly Replacement[];
  readonly steps: readonly RollStep[];
  readonly waits: readonly RollWait[];
  readonly halt?: RollHalt;
}

/** Steps, waits and halt for some of the machines. */
export type PartialPlan = Pick<RollPlan, 'steps' | 'waits' | 'halt'>;

/** A plan without steps. */
export const emptyPlan: PartialPlan = { steps: [], waits: [] };

/** Returns a plan that halts the roll at a unit. */
export const haltPlan = (unit: string, reason: string, remedy: string): PartialPlan => ({
  ...emptyPlan,
  halt: { unit, reason, remedy },
});

/** Returns a plan that waits. */
export const waitPlan = (wait: RollWait): PartialPlan => ({ ...emptyPlan, waits: [wait] });

/** Merges plans. The first halt wins and drops all steps. */
export function mergePlans(parts: readonly PartialPlan[]): PartialPlan {
  const halt = parts.find((part) => part.halt)?.halt;
  const waits = parts.flatMap((part) => part.waits);
  return halt ? { steps: [], waits, halt } : { steps: parts.flatMap(({ steps }) => steps), waits };
}

/** Returns the name of a unit: `control-plane-a`, or the name of the pool. */
export const unitOf = ({ part, unit }: Pick<MachineGroup, 'part' | 'unit'>): string =>
  part === 'control-plane' ? `control-plane-${unit}` : unit;

/**
 * Returns whether to replace a machine. One that was selected is replaced even if its template changes back, as its
 * successor is already starting.
 */
export const needsReplacement = ({ outdated }: ObservedCluster, { id, drainingSince }: Machine): boolean =>
  drainingSince !== undefined || outdated.has(id);

/** Returns the machines of a group whose termination was not requested. */
export const remainingMachines = ({ machines }: MachineGroup): readonly Machine[] =>
  machines.filter(({ state }) => state !== 'terminating');
