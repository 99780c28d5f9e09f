import { bytesText } from '../../../api';
import {
  compactionTarget,
  type EtcdCluster,
  type EtcdEnd,
  etcdGate,
  type EtcdGoal,
  type EtcdObserved,
  type EtcdPlan,
  type EtcdPolicy,
  type EtcdStep,
  planEtcd,
  runEtcd,
} from '../../../operations';
import { type Clock } from '../../../kube';
import { UsageError } from '../../command/arguments';
import { confirmOrRefuse } from '../../io/confirmation';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UnavailableError, type Io } from '../../io/io';
import { etcdCluster, reaching } from './connection';
import { type EtcdArguments } from './etcd-options';
import { etcdPolicy } from './etcd-policy';
import { StepProgress } from './step-progress';
import { statusText } from './status';

/** `pinion etcd compact | defrag | disarm | recover`: says what is to be done, asks, and does it. */
export const maintain =
  (goal: EtcdGoal) =>
  async (words: readonly string[], given: EtcdArguments, io: Io): Promise<ExitCode> => {
    if (words.length > 0) throw new UsageError(`etcd ${goal} takes no words`);
    if (given.flags.corrupt === true && goal !== 'disarm') throw new UsageError('--corrupt goes with disarm');
    if (given.values.revision !== undefined && goal !== 'compact') throw new UsageError('--revision goes with compact');
    const clock = io.system?.clock;
    if (!clock) throw new UnavailableError('there is no way to an etcd from here');
    const policy = etcdPolicy(given);
    const cluster = etcdCluster(given, io);
    const observed = await reaching(() => cluster.observe());
    const plan = firstPlan(goal, observed, policy);
    await printPlan(goal, observed, policy, plan, given, io);
    const isDry = given.flags['dry-run'] === true;
    if (isDry || plan.halt) return plan.halt ? exitCodes.incomplete : exitCodes.success;
    if (plan.steps.length === 0) return exitCodes.success;
    if (given.flags.yes !== true && !(await confirmOrRefuse(io))) return exitCodes.success;
    return carryOut(goal, cluster, policy, clock, io);
  };

/** What would be done by what is seen now; what already speaks against it is its halt. */
function firstPlan(goal: EtcdGoal, observed: EtcdObserved, policy: EtcdPolicy): EtcdPlan {
  const revision = compactionTarget(goal, observed, policy);
  const halt = etcdGate(observed, policy);
  if (halt) return { steps: [], halt };
  return planEtcd(goal, observed, policy, { revision, defragmented: new Set() });
}

async function printPlan(
  goal: EtcdGoal,
  observed: EtcdObserved,
  policy: EtcdPolicy,
  { steps, halt }: EtcdPlan,
  given: EtcdArguments,
  io: Io,
): Promise<void> {
  if (given.values.output === 'json') await io.write(`${JSON.stringify({ observed, steps, halt }, null, 2)}\n`);
  else {
    const lines = steps.map((step, index) => `${index + 1}. ${stepText(step, observed)}\n`);
    const nothing = steps.length === 0 && !halt ? `Nothing to do: ${idle[goal]}.\n` : '';
    await io.write(`${statusText(observed, policy)}\n${lines.join('')}${nothing}`);
  }
  if (halt) io.writeError(`halted: ${halt.reason}; ${halt.remedy}\n`);
}

const idle: Readonly<Record<EtcdGoal, string>> = {
  compact: 'history is compacted that far',
  defrag: 'no member would give back a tenth of its file',
  disarm: 'there is no alarm',
  recover: 'there is no alarm',
};

const nameOf = ({ members }: EtcdObserved, member: string): string =>
  members.find(({ id }) => id === member)?.name ?? member;

/** What a step does, for a person. */
function stepText(step: EtcdStep, observed: EtcdObserved): string {
  const name = nameOf(observed, step.member);
  switch (step.do) {
    case 'compact':
      return `compact to revision ${step.revision.toLocaleString('en-US')}; the newest of each key stays`;
    case 'defrag':
      return `defragment ${name}: ${bytesText(step.size)}, of which ${bytesText(step.gives)} are not in use now`;
    case 'disarm':
      return `take back ${step.kind} of ${name}${step.kind === 'CORRUPT' ? ': ITS CONTENTS WERE FOUND TO DIFFER from those of the others' : ''}`;
  }
}

async function carryOut(
  goal: EtcdGoal,
  cluster: EtcdCluster,
  policy: EtcdPolicy,
  clock: Clock,
  io: Io,
): Promise<ExitCode> {
  const progress = new StepProgress(io, clock);
  const forget = io.onStop(() => io.writeError('stopped; run the same again to go on\n'));
  const world = {
    clock,
    observe: () => cluster.observe(),
    carryOut: (step: EtcdStep, stepTime: number) => progress.during(() => cluster.carryOut(step, stepTime)),
  };
  try {
    const end = await runEtcd(world, {
      goal,
      policy,
      signal: new AbortController().signal,
      onStep: (step, observed) => progress.begin(stepText(step, observed)),
      onWait: (reason) => progress.wait(reason),
    });
    return await printEnd(end, cluster, policy, io);
  } finally {
    progress.end();
    forget();
  }
}

async function printEnd({ halt, taken }: EtcdEnd, cluster: EtcdCluster, policy: EtcdPolicy, io: Io): Promise<ExitCode> {
  const count = `${taken.length} ${taken.length === 1 ? 'step' : 'steps'} taken`;
  if (halt) {
    io.writeError(`halted: ${halt.reason}; ${halt.remedy} (${count})\n`);
    return exitCodes.incomplete;
  }
  await io.write(`done: ${count}\n${statusText(await reaching(() => cluster.observe()), policy)}`);
  return exitCodes.success;
}
