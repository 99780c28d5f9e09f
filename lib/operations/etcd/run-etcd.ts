import { type Clock, delay as rest } from '../../kube';
import { etcdGate, isSettling } from './etcd-gate';
import { type EtcdObserved } from './etcd-observed';
import { type EtcdPolicy } from './etcd-policy';
import { compactionTarget, type EtcdGoal, type EtcdHalt, type EtcdStep, planEtcd } from './plan-etcd';
import { errorText } from '../../process';

/** What a run sees and changes. */
export interface EtcdWorld {
  observe(): Promise<EtcdObserved>;
  carryOut(step: EtcdStep, stepTime: number): Promise<void>;
  readonly clock: Clock;
}

/** How a run is made, and who is told. */
export interface EtcdRun {
  readonly goal: EtcdGoal;
  readonly policy: EtcdPolicy;
  /** Ends the run between two steps. */
  readonly signal: AbortSignal;
  /** Milliseconds between two looks. @default 1000 */
  readonly pause?: number;
  /** Right before a step. */
  onStep?(step: EtcdStep, observed: EtcdObserved): void;
  /** Something is waited for, as a clause. */
  onWait?(reason: string): void;
}

/** How a run ended. */
export interface EtcdEnd {
  readonly end: 'done' | 'halted' | 'stopped';
  /** Steps that were taken. */
  readonly taken: readonly EtcdStep[];
  readonly halt?: EtcdHalt;
}

/** Times that one step may fail. */
const maxFailures = 3;

/**
 * Takes one step after the other, each only while all members are healthy and caught up and no compaction is at work.
 * What is left is read from the members each time, so a run that was killed is run again.
 */
export async function runEtcd(world: EtcdWorld, run: EtcdRun): Promise<EtcdEnd> {
  const turns = new Turns(world, run);
  for (;;) {
    if (run.signal.aborted) return turns.ended('stopped');
    const end = await turns.turn();
    if (end) return end;
  }
}

/** A run, look by look. */
class Turns {
  private readonly taken: EtcdStep[] = [];
  private readonly defragmented = new Set<string>();
  private failures = 0;
  private revision: number | undefined;
  private before: EtcdObserved | undefined;
  private illSince: number | undefined;

  constructor(
    private readonly world: EtcdWorld,
    private readonly run: EtcdRun,
  ) {}

  ended(end: EtcdEnd['end'], halt?: EtcdHalt): EtcdEnd {
    return { end, taken: this.taken, ...(halt && { halt }) };
  }

  /** Looks, and takes a step where one may be taken; gives back the end of the run. */
  async turn(): Promise<EtcdEnd | undefined> {
    const { goal, policy } = this.run;
    const observed = await looked(this.world);
    if ('reason' in observed) return this.ill(observed);
    const halt = etcdGate(observed, policy);
    if (halt) return this.ill(halt);
    this.illSince = undefined;
    if (!this.before || isSettling(this.before, observed)) {
      this.before = observed;
      return this.rest();
    }
    this.revision ??= compactionTarget(goal, observed, policy);
    const plan = planEtcd(goal, observed, policy, { revision: this.revision, defragmented: this.defragmented });
    if (plan.halt && plan.steps.length === 0) return this.ended('halted', plan.halt);
    const [step] = plan.steps;
    return step ? this.take(step, observed, plan.halt) : this.ended('done');
  }

  private async ill(halt: EtcdHalt): Promise<EtcdEnd | undefined> {
    const now = this.world.clock.now();
    this.illSince ??= now;
    // Before the first step nothing of ours can have made a member ill: it is not ours to wait for.
    const isOurs = this.taken.length + this.failures > 0;
    if (!isOurs || now - this.illSince > this.run.policy.patience) return this.ended('halted', halt);
    this.run.onWait?.(halt.reason);
    this.before = undefined;
    return this.rest();
  }

  private async take(step: EtcdStep, observed: EtcdObserved, halt?: EtcdHalt): Promise<EtcdEnd | undefined> {
    if (halt && step.do === 'disarm') return this.ended('halted', halt);
    this.run.onStep?.(step, observed);
    this.before = undefined;
    try {
      await this.world.carryOut(step, this.run.policy.stepTime);
    } catch (error) {
      this.failures += 1;
      if (this.failures >= maxFailures) return this.ended('halted', refused(error));
      this.run.onWait?.(errorText(error));
      return undefined;
    }
    this.failures = 0;
    this.taken.push(step);
    if (step.do === 'defrag') this.defragmented.add(step.member);
    return undefined;
  }

  private async rest(): Promise<undefined> {
    await rest(this.world.clock, this.run.pause ?? 1000, this.run.signal);
    return undefined;
  }
}

/** All members, or why nobody could say who they are. */
async function looked(world: EtcdWorld): Promise<EtcdObserved | EtcdHalt> {
  try {
    return await world.observe();
  } catch (error) {
    return { reason: errorText(error), remedy: 'see that the members can be reached, then run the same again' };
  }
}

const refused = (error: unknown): EtcdHalt => ({
  reason: `a step failed ${maxFailures} times: ${errorText(error)}`,
  remedy: 'see the log of that member, then run the same again',
});
