import { explainProblem, isError, manager } from '../../../api';
import type * as CloudModule from '../../../cloud';
import { type Election } from '../../../kube';
import {
  checkCanaryGate,
  controlPlaneProbe,
  planRoll,
  type RollEnd,
  type RollPlan,
  RollObserver,
  type RollPolicy,
  rollLease,
  rollProblems,
  RollRecorder,
  type RollRun,
  type RollDeps,
  runRoll,
  unitOf,
  defaultMetricsPorts,
} from '../../../operations';
import { canaryProject } from '../../../programs';
import { UsageError } from '../../command/usage-error';
import { type ClusterConnection, userAgent, withConnection } from '../../cluster/cluster-connection';
import { confirmOrRefuse } from '../../io/confirm-or-refuse';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UnavailableError, type Io } from '../../io/io';
import { type RollOptions, rollPolicy } from './roll-options';
import { rollListener } from './roll-progress';
import { type RollPreview, rollPreview, rollTable } from './roll-table';
import { errorText } from '../../../process';

/** Longer than the API is unavailable while the control plane node of the connection is replaced. */
const leaseTimes = { leaseDuration: 120_000, renewDeadline: 90_000, retryPeriod: 5_000 };

/** `pinion cluster roll`: shows the replacements, asks for confirmation, and replaces the machines. */
export async function roll(name: string, options: RollOptions, io: Io): Promise<ExitCode> {
  const policy = rollPolicy(options);
  return withConnection(options, io, async (connection) => {
    // The AWS SDK is large, and no other command needs it.
    const cloud = module.require('../../../cloud') as typeof CloudModule;
    const machines = new cloud.AwsMachines(name, { region: options.region });
    try {
      return await previewAndRun(name, options, policy, io, connection, createDeps(connection, machines));
    } finally {
      machines.close();
    }
  });
}

function createDeps({ client, settings, kube, clock }: ClusterConnection, machines: RollDeps['machines']): RollDeps {
  const clients = new Map<string, ClusterConnection['client']>();
  const apiServer = (address: string): ClusterConnection['client'] => {
    const apiClient =
      clients.get(address) ??
      kube.connect({ ...settings, server: `https://${address}:6443` }, { clock, userAgent, fieldManager: manager });
    clients.set(address, apiClient);
    return apiClient;
  };
  return { client, machines, clock, probe: controlPlaneProbe({ apiServer, metricsPorts: defaultMetricsPorts }) };
}

async function previewAndRun(
  name: string,
  options: RollOptions,
  policy: RollPolicy,
  io: Io,
  connection: ClusterConnection,
  deps: RollDeps,
): Promise<ExitCode> {
  const observer = new RollObserver(deps);
  const observed = await fromAws(connection, () => observer.observe());
  const units = observed.groups.map(unitOf);
  if (units.length === 0)
    throw new UsageError(`no Auto Scaling group in this region has the tag pinion/cluster=${name}`);
  const unknown = policy.only?.find((unit) => !units.includes(unit));
  if (unknown !== undefined) throw new UsageError(`--only: no unit ${unknown}; use ${units.sort().join(', ')}`);
  const plan = planRoll(observed, policy);
  const preview = await rollPreview(deps, observed, plan, policy);
  const problems = await rollProblems(deps, observer, observed, plan, options.kubernetes);
  const json = options.output === 'json';
  await io.write(json ? `${JSON.stringify({ ...preview, problems }, null, 2)}\n` : rollTable(preview));
  for (const problem of problems) io.writeError(`${explainProblem(problem)}\n`);
  if (problems.some(isError)) return exitCodes.failure;
  if (preview.halt && options['dry-run']) return exitCodes.incomplete;
  if (options['dry-run'] || isDone(preview)) return exitCodes.success;
  if (!options.yes && !(await confirmOrRefuse(io))) return exitCodes.success;
  if (options['ignore-canary'])
    io.writeError('--ignore-canary: the cluster is not checked between units; monitor it yourself\n');
  return printEnd(await runWithLease(name, io, connection, deps, policy, canaryGate(deps, options)), io);
}

const isDone = ({ replacements, unfinished }: RollPreview): boolean =>
  replacements.length === 0 && unfinished.length === 0;

/** Rethrows errors from AWS calls as `UnavailableError`, because nothing has been changed yet. */
async function fromAws<T>({ kube }: ClusterConnection, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (kube.isApiError(error)) throw error;
    if (error instanceof Error && '$metadata' in error)
      throw new UnavailableError(`AWS: ${error.name}: ${error.message}`);
    if (error instanceof Error && /Credentials|ECONN|ENOTFOUND|Timeout/.test(`${error.name} ${error.message}`))
      throw new UnavailableError(`AWS: ${error.message}`);
    throw error;
  }
}

/** Returns the gate between two units. It is closed if the configured canary is missing. */
function canaryGate(deps: RollDeps, { canary, ...options }: RollOptions): RollRun['gate'] {
  if (options['ignore-canary']) return undefined;
  return async (since) => {
    const gate = await checkCanaryGate(deps, canary ?? canaryProject, since);
    return gate.state === 'absent' && canary !== undefined ? { ...gate, state: 'closed' } : gate;
  };
}

/** Runs the roll while holding its lease: two concurrent rolls could replace two control plane nodes. */
async function runWithLease(
  cluster: string,
  io: Io,
  { client, kube, clock }: ClusterConnection,
  deps: RollDeps,
  policy: RollPolicy,
  gate: RollRun['gate'],
): Promise<RollEnd> {
  let outcome: RollEnd = { end: 'stopped', replaced: 0 };
  const identity = `${userAgent}-${Math.floor(clock.random() * 2 ** 32).toString(16)}`;
  const recorder = new RollRecorder({
    ...{ client, clock, cluster },
    onError: (error) => io.writeError(`the record of the roll: ${errorText(error)}\n`),
  });
  const removeStopHandler = io.onStop(() => io.writeError('stopped; run it again to continue\n'));
  const election: Election = kube.runForLease({
    ...rollLease,
    ...leaseTimes,
    client,
    identity,
    clock,
    onNewLeader: (holder) =>
      holder === identity || holder === '' || io.writeError(`waiting for another roll: ${holder} holds the lease\n`),
    onError: (error) => io.writeError(`the lease: ${errorText(error)}\n`),
    onStartedLeading: async (signal) => {
      const listener = rollListener(io);
      const onPlan = (plan: RollPlan): void => {
        recorder.plan(plan);
        listener.onPlan?.(plan);
      };
      outcome = await runRoll(deps, { policy, signal, ...listener, onPlan, ...(gate && { gate }) });
      await recorder.end(outcome);
      void election.stop();
    },
  });
  try {
    await election.done;
  } finally {
    removeStopHandler();
  }
  return outcome;
}

function printEnd(outcome: RollEnd, io: Io): ExitCode {
  const count = `${outcome.replaced} ${outcome.replaced === 1 ? 'machine' : 'machines'} replaced`;
  if (outcome.end === 'done') {
    io.writeError(`done: ${count}\n`);
    return exitCodes.success;
  }
  if (outcome.end === 'halted')
    io.writeError(`halted: ${outcome.halt.unit}: ${outcome.halt.reason}; ${outcome.halt.remedy} (${count})\n`);
  else io.writeError(`stopped: lost the lease of the roll; run it again to continue (${count})\n`);
  return exitCodes.incomplete;
}
