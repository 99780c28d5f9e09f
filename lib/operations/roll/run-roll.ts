import { delay } from '../../kube';
import { type RejectedEviction } from '../drain/evict';
import { type CanaryGateResult } from '../canary/check-canary-gate';
import { executeRollStep } from './execute-roll-step';
import { planRoll } from './plan-roll';
import { RollObserver } from './roll-observer';
import { type RollPolicy } from './roll-policy';
import { type RollDeps } from './roll-deps';
import { type RollHalt, type RollPlan, type RollStep } from './roll-plan';
import { UnitGate } from './unit-gate';
import { errorText } from '../../process';

/** Callbacks for the progress of a roll. */
export interface RollListener {
  /** Called before each step. */
  onStep?(step: RollStep): void;
  /** Called with each plan, even if it is unchanged. */
  onPlan?(plan: RollPlan): void;
  /** Called with evictions that were rejected for now. */
  onRejected?(rejected: readonly RejectedEviction[]): void;
  /** Called with the reasons why the gate is not open. */
  onGate?(reasons: readonly string[]): void;
  /** Called with errors after which the roll retries. */
  onError?(error: unknown): void;
}

/** Options of a run. */
export interface RollRun extends RollListener {
  readonly policy: RollPolicy;
  /** Stops the roll between two steps. */
  readonly signal: AbortSignal;
  /**
   * Gate that is checked before a unit starts, with the time of the last change or wait of this run in milliseconds since
   * 1970; undefined if there was none.
   * @default - no gate
   */
  readonly gate?: (since: number | undefined) => Promise<CanaryGateResult>;
  /** Interval between observations in milliseconds; after a step, a fifth of it. @default 5000 */
  readonly interval?: number;
}

/** Result of a roll: completed, halted for a reason, or stopped by its signal. */
export type RollEnd =
  | { readonly end: 'done'; readonly replaced: number }
  | { readonly end: 'halted'; readonly replaced: number; readonly halt: RollHalt }
  | { readonly end: 'stopped'; readonly replaced: number };

/**
 * Observes, plans and executes until nothing is left to do. The process keeps no state: after a crash, rerun the roll.
 */
export async function runRoll(deps: RollDeps, run: RollRun): Promise<RollEnd> {
  const { policy, signal, interval: pause = 5_000 } = run;
  const observer = new RollObserver(deps);
  let replaced = 0;
  let failingSince: number | undefined;
  const gate = new UnitGate(run);
  while (!signal.aborted) {
    let wait = pause;
    try {
      const plan = planRoll(await observer.observe(), policy);
      run.onPlan?.(plan);
      if (plan.halt) return { end: 'halted', replaced, halt: plan.halt };
      if (isComplete(plan)) return { end: 'done', replaced };
      const { steps, halt } = await gate.filter(plan, deps.clock.now());
      if (halt) return { end: 'halted', replaced, halt };
      replaced += await executeSteps(deps, run, steps);
      gate.recordSteps(steps, deps.clock.now());
      failingSince = undefined;
      if (steps.some((step) => step.do !== 'evict')) wait = pause / 5;
    } catch (error) {
      // The API is briefly unavailable while a control plane node is replaced.
      failingSince ??= deps.clock.now();
      run.onError?.(error);
      if (deps.clock.now() - failingSince > policy.unhealthyTimeout)
        return { end: 'halted', replaced, halt: unreachable(error, policy.unhealthyTimeout) };
    }
    await delay(deps.clock, wait, signal);
  }
  return { end: 'stopped', replaced };
}

const isComplete = ({ replacements, steps, waits }: RollPlan): boolean =>
  replacements.length === 0 && steps.length === 0 && waits.length === 0;

async function executeSteps(deps: RollDeps, run: RollRun, steps: readonly RollStep[]): Promise<number> {
  let terminated = 0;
  for (const step of steps) {
    if (run.signal.aborted) break;
    run.onStep?.(step);
    const rejected = await executeRollStep(deps, step);
    if (rejected.length > 0) run.onRejected?.(rejected);
    if (step.do === 'terminate') terminated += 1;
  }
  return terminated;
}

const unreachable = (error: unknown, timeout: number): RollHalt => ({
  unit: 'cluster',
  reason: `the API server or AWS has been unreachable for ${Math.round(timeout / 60_000)} minutes: ${errorText(error)}`,
  remedy: 'restore the connection to the API server and AWS, then rerun',
});
