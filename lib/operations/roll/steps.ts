import { type LiveObject } from '../../kube';
import { type StayingPod } from '../drain/drain-plan';
import { type Machine, type MachineGroup } from './machines';
import { type Reasons, type RollObserved } from './observed';

/**
 * One act of a roll. Each may be done twice without harm, and the next plan is made from what came of it. `begins` names
 * the unit of which nothing was touched before.
 */
export type RollStep =
  | { readonly do: 'keep-base'; readonly group: string; readonly base: number; readonly begins?: string }
  | { readonly do: 'forget-base'; readonly group: string }
  | { readonly do: 'choose'; readonly group: string; readonly machine: string; readonly begins?: string }
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

/** Something that takes its time. */
export interface RollWait {
  readonly group: string;
  readonly machine?: string;
  /** What is waited for, as a clause. */
  readonly for: string;
  readonly pods?: readonly StayingPod[];
}

/** Why a roll does not go on, and what to do about it. */
export interface RollHalt {
  readonly unit: string;
  /** A clause without a full stop. */
  readonly reason: string;
  /** An instruction without a full stop. */
  readonly remedy: string;
}

/** One machine that is to be replaced. */
export interface Replacement {
  readonly group: string;
  readonly unit: string;
  readonly machine: string;
  readonly zone: string;
  readonly node?: string;
  readonly reasons: Reasons;
}

/** What a roll does next. With neither replacements, steps nor waits left it has reached its end. */
export interface RollPlan {
  /** Machines that are still to be replaced, in their order. */
  readonly replacements: readonly Replacement[];
  readonly steps: readonly RollStep[];
  readonly waits: readonly RollWait[];
  readonly halt?: RollHalt;
}

/** A part of a plan: what is to be done for some machines. */
export type PartialPlan = Pick<RollPlan, 'steps' | 'waits' | 'halt'>;

/** A plan without steps: there is nothing to do. */
export const nothing: PartialPlan = { steps: [], waits: [] };

/** A plan that halts the roll at a unit, with the reason and what a person can do about it. */
export const halting = (unit: string, reason: string, remedy: string): PartialPlan => ({
  ...nothing,
  halt: { unit, reason, remedy },
});

/** Waits for something. */
export const waiting = (wait: RollWait): PartialPlan => ({ ...nothing, waits: [wait] });

/** All of several parts; the first halt counts, and nothing is done beside one. */
export function together(parts: readonly PartialPlan[]): PartialPlan {
  const halt = parts.find((part) => part.halt)?.halt;
  const waits = parts.flatMap((part) => part.waits);
  return halt ? { steps: [], waits, halt } : { steps: parts.flatMap(({ steps }) => steps), waits };
}

/** What a unit is called: `master-a`, or the name of its pool. */
export const unitOf = ({ part, unit }: Pick<MachineGroup, 'part' | 'unit'>): string =>
  part === 'master' ? `master-${unit}` : unit;

/** Whether a machine is to be replaced. One that was chosen goes, whatever its template says later: its successor is on its way. */
export const isToGo = ({ outdated }: RollObserved, { id, leavingSince }: Machine): boolean =>
  leavingSince !== undefined || outdated.has(id);

/** Machines whose end nobody asked for yet. */
export const present = ({ machines }: MachineGroup): readonly Machine[] =>
  machines.filter(({ state }) => state !== 'going');
