import { type Clock, delay } from '../../kube';
import { etcdGate, isSettling } from './etcd-gate';
import { type EtcdObserved } from './etcd-observed';
import { type EtcdPolicy } from './etcd-policy';
import { compactionTarget, type EtcdGoal, type EtcdHalt, type EtcdStep, planEtcd } from './plan-etcd';
import { errorText } from '../../process';

/** Services of a run. */
export interface EtcdDeps {
  observe(): Promise<EtcdObserved>;
  executeStep(step: EtcdStep, stepTime: number): Promise<void>;
  readonly clock: Clock;
}

/** Options and callbacks of a run. */
export interface EtcdRun {
  readonly goal: EtcdGoal;
  readonly policy: EtcdPolicy;
  /** Stops the run between two steps. */
  readonly signal: AbortSignal;
  /** Poll interval in milliseconds. @default 1000 */
  readonly pollInterval?: number;
  /** Called before each step. */
  onStep?(step: EtcdStep, observed: EtcdObserved): void;
  /** Called with the reason why the run waits, as a clause. */
  onWait?(reason: string): void;
}

/** Result of a run. */
export interface EtcdEnd {
  readonly end: 'done' | 'halted' | 'stopped';
  /** Completed steps. */
  readonly completed: readonly EtcdStep[];
  readonly halt?: EtcdHalt;
}

/** Maximum failures of one step. */
const maxFailures = 3;

/**
 * Executes one step after the other, each only while all members are healthy and caught up and no compaction runs.
 * Plans from the observed members each time, so a killed run can be rerun.
 */
export async function runEtcd(deps: EtcdDeps, run: EtcdRun): Promise<EtcdEnd> {
  const loop = new EtcdRunLoop(deps, run);
  for (;;) {
    if (run.signal.aborted) return loop.ended('stopped');
    const end = await loop.runOnce();
    if (end) return end;
  }
}

/** State of a run across its observations. */
class EtcdRunLoop {
  private readonly completed: EtcdStep[] = [];
  private readonly defragmented = new Set<string>();
  private failures = 0;
  private revision: number | undefined;
  private before: EtcdObserved | undefined;
  private unhealthySince: number | undefined;

  constructor(
    private readonly deps: EtcdDeps,
    private readonly run: EtcdRun,
  ) {}

  ended(end: EtcdEnd['end'], halt?: EtcdHalt): EtcdEnd {
    return { end, completed: this.completed, ...(halt && { halt }) };
  }

  /** Observes, and executes a step if one is allowed; returns the result if the run has ended. */
  async runOnce(): Promise<EtcdEnd | undefined> {
    const { goal, policy } = this.run;
    const observed = await observe(this.deps);
    if ('reason' in observed) return this.handleUnhealthy(observed);
    const halt = etcdGate(observed, policy);
    if (halt) return this.handleUnhealthy(halt);
    this.unhealthySince = undefined;
    if (!this.before || isSettling(this.before, observed)) {
      this.before = observed;
      return this.pause();
    }
    this.revision ??= compactionTarget(goal, observed, policy);
    const plan = planEtcd(goal, observed, policy, { revision: this.revision, defragmented: this.defragmented });
    if (plan.halt && plan.steps.length === 0) return this.ended('halted', plan.halt);
    const [step] = plan.steps;
    return step ? this.execute(step, observed, plan.halt) : this.ended('done');
  }

  private async handleUnhealthy(halt: EtcdHalt): Promise<EtcdEnd | undefined> {
    const now = this.deps.clock.now();
    this.unhealthySince ??= now;
    // Before its first step the run cannot have caused the problem, so it does not wait.
    const hasStarted = this.completed.length + this.failures > 0;
    if (!hasStarted || now - this.unhealthySince > this.run.policy.unhealthyTimeout) return this.ended('halted', halt);
    this.run.onWait?.(halt.reason);
    this.before = undefined;
    return this.pause();
  }

  private async execute(step: EtcdStep, observed: EtcdObserved, halt?: EtcdHalt): Promise<EtcdEnd | undefined> {
    if (halt && step.do === 'disarm') return this.ended('halted', halt);
    this.run.onStep?.(step, observed);
    this.before = undefined;
    try {
      await this.deps.executeStep(step, this.run.policy.stepTimeout);
    } catch (error) {
      this.failures += 1;
      if (this.failures >= maxFailures) return this.ended('halted', repeatedFailure(error));
      this.run.onWait?.(errorText(error));
      return undefined;
    }
    this.failures = 0;
    this.completed.push(step);
    if (step.do === 'defrag') this.defragmented.add(step.member);
    return undefined;
  }

  private async pause(): Promise<undefined> {
    await delay(this.deps.clock, this.run.pollInterval ?? 1000, this.run.signal);
    return undefined;
  }
}

/** Observes all members; returns a halt if they cannot be listed. */
async function observe(deps: EtcdDeps): Promise<EtcdObserved | EtcdHalt> {
  try {
    return await deps.observe();
  } catch (error) {
    return { reason: errorText(error), remedy: 'restore the connection to the members, then rerun' };
  }
}

const repeatedFailure = (error: unknown): EtcdHalt => ({
  reason: `a step failed ${maxFailures} times: ${errorText(error)}`,
  remedy: 'check the log of that member, then rerun',
});
