import { type CanaryAnswer } from '../canary/ask-canary';
import { type RollHalt, type RollPlan, type RollStep } from './steps';

/** Who is asked, and who hears what is waited for. */
interface GateParts {
  readonly gate?: (since: number | undefined) => Promise<CanaryAnswer>;
  onGate?(reasons: readonly string[]): void;
}

/** What may be done now: all steps, those that begin no unit, or nothing, for the roll ends here. */
interface Passed {
  readonly steps: readonly RollStep[];
  readonly halt?: RollHalt;
}

/** Asks before a unit begins; one that is begun is brought to its end. */
export class UnitGate {
  /** What the gate was opened for: the machine of a master, or the group of a pool. */
  private open: string | undefined;
  private changed: number | undefined;

  constructor(private readonly run: GateParts) {}

  /** Notes that something was changed. `now` in milliseconds since 1970. */
  stepped(steps: readonly RollStep[], now: number): void {
    if (steps.length > 0) this.changed = now;
    // A pool whose template changes once more begins once more.
    if (steps.some((step) => step.do === 'forget-base')) this.open = undefined;
  }

  /** What of a plan may be done at a moment, in milliseconds since 1970. */
  async pass({ steps, waits }: Pick<RollPlan, 'steps' | 'waits'>, now: number): Promise<Passed> {
    // A change lasts until what it waits for is there: a run of the canary that began before has not seen all of it.
    if (waits.length > 0) this.changed = now;
    const [begun] = steps.flatMap((step) => ('begins' in step && step.begins !== undefined ? [step] : []));
    if (!this.run.gate || !begun) return { steps };
    const asksFor = begun.do === 'choose' ? begun.machine : begun.group;
    if (asksFor === this.open) return { steps };
    const { answer, reasons } = await this.run.gate(this.changed);
    if (answer !== 'open') this.run.onGate?.(reasons);
    if (answer === 'closed') return { steps: [], halt: closed(begun.begins ?? '', reasons) };
    if (answer === 'waits') return { steps: steps.filter((step) => step !== begun) };
    this.open = asksFor;
    return { steps };
  }
}

const closed = (unit: string, reasons: readonly string[]): RollHalt => ({
  unit,
  reason: `the canary does not get through: ${reasons.join('; ')}`,
  remedy: 'mend that, or run the same with --ignore-canary',
});
