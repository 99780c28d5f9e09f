import { pause as rest } from '../../kube';
import { type RefusedEviction } from '../drain/evict';
import { type CanaryAnswer } from '../canary/ask-canary';
import { carryOut } from './carry-out';
import { planRoll } from './plan-roll';
import { RollObserver } from './roll-observer';
import { type RollPolicy } from './roll-policy';
import { type RollWorld } from './roll-world';
import { type RollHalt, type RollPlan, type RollStep } from './steps';
import { UnitGate } from './unit-gate';

/** What is told while a roll is at work. */
export interface RollListener {
  /** Right before a step is taken. */
  onStep?(step: RollStep): void;
  /** A plan was made; most are like the one before. */
  onPlan?(plan: RollPlan): void;
  /** Evictions that were refused for now. */
  onRefused?(refused: readonly RefusedEviction[]): void;
  /** What the gate waits for. */
  onGate?(reasons: readonly string[]): void;
  /** Something could not be reached; it is tried again. */
  onError?(error: unknown): void;
}

/** How a roll is run. */
export interface RollRun extends RollListener {
  readonly policy: RollPolicy;
  /** Ends the roll between two steps. */
  readonly signal: AbortSignal;
  /**
   * Asked before a unit begins, with the last moment at which something was changed or waited for, in milliseconds
   * since 1970; undefined where this run has done neither yet.
   * @default - nobody is asked
   */
  readonly gate?: (since: number | undefined) => Promise<CanaryAnswer>;
  /** Milliseconds between two looks while nothing but time is needed; after a step, a fifth of it. @default 5000 */
  readonly pause?: number;
}

/** How a roll ended: all replaced, halted for a reason, or stopped from outside. */
export type RollEnd =
  | { readonly end: 'done'; readonly replaced: number }
  | { readonly end: 'halted'; readonly replaced: number; readonly halt: RollHalt }
  | { readonly end: 'stopped'; readonly replaced: number };

/**
 * Looks, plans, does, and looks again, until nothing is left to do. It knows nothing that the next process would not see:
 * to go on after a crash is to run it again.
 */
export async function runRoll(world: RollWorld, run: RollRun): Promise<RollEnd> {
  const { policy, signal, pause = 5_000 } = run;
  const observer = new RollObserver(world);
  let replaced = 0;
  let failingSince: number | undefined;
  const gate = new UnitGate(run);
  while (!signal.aborted) {
    let wait = pause;
    try {
      const plan = planRoll(await observer.observe(), policy);
      run.onPlan?.(plan);
      if (plan.halt) return { end: 'halted', replaced, halt: plan.halt };
      if (isEnd(plan)) return { end: 'done', replaced };
      const { steps, halt } = await gate.pass(plan, world.clock.now());
      if (halt) return { end: 'halted', replaced, halt };
      replaced += await takeSteps(world, run, steps);
      gate.stepped(steps, world.clock.now());
      failingSince = undefined;
      if (steps.some((step) => step.do !== 'evict')) wait = pause / 5;
    } catch (error) {
      // While a master is replaced, the API breaks off now and then.
      failingSince ??= world.clock.now();
      run.onError?.(error);
      if (world.clock.now() - failingSince > policy.illnessPatience)
        return { end: 'halted', replaced, halt: unreachable(error, policy.illnessPatience) };
    }
    await rest(world.clock, wait, signal);
  }
  return { end: 'stopped', replaced };
}

const isEnd = ({ replacements, steps, waits }: RollPlan): boolean =>
  replacements.length === 0 && steps.length === 0 && waits.length === 0;

async function takeSteps(world: RollWorld, run: RollRun, steps: readonly RollStep[]): Promise<number> {
  let ended = 0;
  for (const step of steps) {
    if (run.signal.aborted) break;
    run.onStep?.(step);
    const refused = await carryOut(world, step);
    if (refused.length > 0) run.onRefused?.(refused);
    if (step.do === 'terminate') ended += 1;
  }
  return ended;
}

const unreachable = (error: unknown, patience: number): RollHalt => ({
  unit: 'cluster',
  reason: `for ${Math.round(patience / 60_000)} minutes it could not be seen or changed: ${error instanceof Error ? error.message : String(error)}`,
  remedy: 'see that the API and AWS can be reached, then run the same again',
});
