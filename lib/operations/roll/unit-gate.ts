import { type CanaryGateResult } from '../canary/check-canary-gate';
import { type RollHalt, type RollPlan, type RollStep } from './roll-plan';

/** Gate of a roll, and the listener that is notified while it is not open. */
interface GateDeps {
  readonly gate?: (since: number | undefined) => Promise<CanaryGateResult>;
  onGate?(reasons: readonly string[]): void;
}

/** Steps that may be executed now, or the halt of the roll. */
interface GateResult {
  readonly steps: readonly RollStep[];
  readonly halt?: RollHalt;
}

/** Checks a gate before a unit starts. A unit that has started is completed. */
export class UnitGate {
  /** Subject that the gate was opened for: the machine of a control plane node, or the group of a pool. */
  private open: string | undefined;
  private lastChange: number | undefined;

  constructor(private readonly run: GateDeps) {}

  /** Records that the cluster was changed. `now` is in milliseconds since 1970. */
  recordSteps(steps: readonly RollStep[], now: number): void {
    if (steps.length > 0) this.lastChange = now;
    // A pool whose template changes again is checked again.
    if (steps.some((step) => step.do === 'clear-desired-capacity')) this.open = undefined;
  }

  /** Returns the steps of a plan that may be executed. `now` is in milliseconds since 1970. */
  async filter({ steps, waits }: Pick<RollPlan, 'steps' | 'waits'>, now: number): Promise<GateResult> {
    // A change lasts until its waits end: a canary run that started earlier has not tested all of it.
    if (waits.length > 0) this.lastChange = now;
    const [start] = steps.flatMap((step) => ('starts' in step && step.starts !== undefined ? [step] : []));
    if (!this.run.gate || !start) return { steps };
    const subject = start.do === 'mark-draining' ? start.machine : start.group;
    if (subject === this.open) return { steps };
    const { state, reasons } = await this.run.gate(this.lastChange);
    if (state !== 'open') this.run.onGate?.(reasons);
    if (state === 'closed') return { steps: [], halt: closedHalt(start.starts ?? '', reasons) };
    if (state === 'pending') return { steps: steps.filter((step) => step !== start) };
    this.open = subject;
    return { steps };
  }
}

const closedHalt = (unit: string, reasons: readonly string[]): RollHalt => ({
  unit,
  reason: `the canary is failing: ${reasons.join('; ')}`,
  remedy: 'fix the cause, or rerun with --ignore-canary',
});
