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
import { confirmOrRefuse } from '../../io/confirm-or-refuse';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UnavailableError, type Io } from '../../io/io';
import { etcdCluster, withUnavailableError } from './connection';
import { type EtcdMaintenanceOptions } from './etcd-options';
import { etcdPolicy } from './etcd-policy';
import { StepProgress } from './step-progress';
import { statusText } from './status';

/** `pinion etcd compact | defrag | disarm | recover`: shows the plan, asks for confirmation, and executes it. */
export async function maintain(goal: EtcdGoal, options: EtcdMaintenanceOptions, io: Io): Promise<ExitCode> {
  const clock = io.system?.clock;
  if (!clock) throw new UnavailableError('cannot connect to etcd from here');
  const policy = etcdPolicy(options);
  const cluster = etcdCluster(options, io);
  const observed = await withUnavailableError(() => cluster.observe());
  const plan = firstPlan(goal, observed, policy);
  await printPlan(goal, observed, policy, plan, options, io);
  const isDry = options['dry-run'];
  if (isDry || plan.halt) return plan.halt ? exitCodes.incomplete : exitCodes.success;
  if (plan.steps.length === 0) return exitCodes.success;
  if (!options.yes && !(await confirmOrRefuse(io))) return exitCodes.success;
  return executePlan(goal, cluster, policy, clock, io);
}

/** Returns the plan for the observed state; `halt` is set if something blocks it. */
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
  options: EtcdMaintenanceOptions,
  io: Io,
): Promise<void> {
  if (options.output === 'json') await io.write(`${JSON.stringify({ observed, steps, halt }, null, 2)}\n`);
  else {
    const lines = steps.map((step, index) => `${index + 1}. ${stepText(step, observed)}\n`);
    const nothing = steps.length === 0 && !halt ? `Nothing to do: ${nothingToDo[goal]}.\n` : '';
    await io.write(`${statusText(observed, policy)}\n${lines.join('')}${nothing}`);
  }
  if (halt) io.writeError(`halted: ${halt.reason}; ${halt.remedy}\n`);
}

const nothingToDo: Readonly<Record<EtcdGoal, string>> = {
  compact: 'history is already compacted to that revision',
  defrag: 'no member would free 10 % of its file',
  disarm: 'no alarm is active',
  recover: 'no alarm is active',
};

const nameOf = ({ members }: EtcdObserved, member: string): string =>
  members.find(({ id }) => id === member)?.name ?? member;

/** Returns the description of a step. */
function stepText(step: EtcdStep, observed: EtcdObserved): string {
  const name = nameOf(observed, step.member);
  switch (step.do) {
    case 'compact':
      return `compact to revision ${step.revision.toLocaleString('en-US')}; the newest revision of each key is kept`;
    case 'defrag':
      return `defragment ${name}: ${bytesText(step.size)}, of which ${bytesText(step.reclaims)} are unused`;
    case 'disarm':
      return `disarm ${step.kind} of ${name}${step.kind === 'CORRUPT' ? ': ITS CONTENTS DIFFERED from those of the other members' : ''}`;
  }
}

async function executePlan(
  goal: EtcdGoal,
  cluster: EtcdCluster,
  policy: EtcdPolicy,
  clock: Clock,
  io: Io,
): Promise<ExitCode> {
  const progress = new StepProgress(io, clock);
  const removeStopHandler = io.onStop(() => io.writeError('stopped; run it again to continue\n'));
  const deps = {
    clock,
    observe: () => cluster.observe(),
    executeStep: (step: EtcdStep, stepTime: number) => progress.during(() => cluster.executeStep(step, stepTime)),
  };
  try {
    const end = await runEtcd(deps, {
      goal,
      policy,
      signal: new AbortController().signal,
      onStep: (step, observed) => progress.begin(stepText(step, observed)),
      onWait: (reason) => progress.wait(reason),
    });
    return await printEnd(end, cluster, policy, io);
  } finally {
    progress.end();
    removeStopHandler();
  }
}

async function printEnd(
  { halt, completed }: EtcdEnd,
  cluster: EtcdCluster,
  policy: EtcdPolicy,
  io: Io,
): Promise<ExitCode> {
  const count = `${completed.length} ${completed.length === 1 ? 'step' : 'steps'} taken`;
  if (halt) {
    io.writeError(`halted: ${halt.reason}; ${halt.remedy} (${count})\n`);
    return exitCodes.incomplete;
  }
  await io.write(`done: ${count}\n${statusText(await withUnavailableError(() => cluster.observe()), policy)}`);
  return exitCodes.success;
}
