import { explainProblem, isError } from '../../../api';
import type * as CloudRoom from '../../../cloud';
import { type Election } from '../../../kube';
import {
  checkCanaryGate,
  controlPlaneProbe,
  planRoll,
  type RollEnd,
  RollObserver,
  type RollPolicy,
  rollProblems,
  type RollRun,
  type RollDeps,
  runRoll,
  unitOf,
  defaultMetricsPorts,
} from '../../../operations';
import { canaryProject } from '../../../programs';
import { UsageError } from '../../command/arguments';
import { type ClusterConnection, userAgent, withConnection } from '../../cluster/cluster-connection';
import { confirmOrRefuse } from '../../io/confirmation';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UnavailableError, type Io } from '../../io/io';
import { type RollArguments, rollPolicy } from './roll-options';
import { rollListener } from './roll-progress';
import { type RollPreview, rollPreview, rollTable } from './roll-table';
import { errorText } from '../../../process';

/** One roll at a time holds this lease in kube-system. */
const lease = { namespace: 'kube-system', name: 'pinion-roll' };

/** Longer than the API is away while the master that a connection goes to is replaced. */
const leaseTimes = { leaseDuration: 120_000, renewDeadline: 90_000, retryPeriod: 5_000 };

/** `pinion cluster roll`: says what would be replaced, asks, and does it. */
export async function roll(name: string, given: RollArguments, io: Io): Promise<ExitCode> {
  const policy = rollPolicy(given);
  const region = given.values.region ?? io.system?.environment['AWS_REGION'];
  if (region === undefined) throw new UsageError('which region? give --region, or set AWS_REGION');
  if (given.values.output !== undefined && given.flags['dry-run'] !== true)
    throw new UsageError('-o goes with --dry-run');
  return withConnection(given.values, io, async (connection) => {
    // The SDK of AWS is large; no other verb is to pay for it.
    const cloud = module.require('../../../cloud') as typeof CloudRoom;
    const machines = new cloud.AwsMachines(name, { region });
    try {
      return await decide(name, given, policy, io, connection, worldOf(connection, machines));
    } finally {
      machines.close();
    }
  });
}

function worldOf({ client, settings, kube, clock }: ClusterConnection, machines: RollDeps['machines']): RollDeps {
  const own = new Map<string, ClusterConnection['client']>();
  const apiServer = (address: string): ClusterConnection['client'] => {
    const known =
      own.get(address) ?? kube.connect({ ...settings, server: `https://${address}:6443` }, { clock, userAgent });
    own.set(address, known);
    return known;
  };
  return { client, machines, clock, probe: controlPlaneProbe({ apiServer, metricsPorts: defaultMetricsPorts }) };
}

async function decide(
  name: string,
  given: RollArguments,
  policy: RollPolicy,
  io: Io,
  connection: ClusterConnection,
  world: RollDeps,
): Promise<ExitCode> {
  const observer = new RollObserver(world);
  const observed = await fromAws(connection, () => observer.observe());
  const units = observed.groups.map(unitOf);
  if (units.length === 0)
    throw new UsageError(`no Auto Scaling group of this region has the tag pinion/cluster=${name}`);
  const unknown = policy.only?.find((unit) => !units.includes(unit));
  if (unknown !== undefined) throw new UsageError(`there is no ${unknown}; use ${units.sort().join(', ')}`);
  const plan = planRoll(observed, policy);
  const preview = await rollPreview(world, observed, plan, policy);
  const problems = await rollProblems(world, observer, observed, plan, given.values.kubernetes);
  const json = given.values.output === 'json';
  await io.write(json ? `${JSON.stringify({ ...preview, problems }, null, 2)}\n` : rollTable(preview));
  for (const problem of problems) io.writeError(`${explainProblem(problem)}\n`);
  if (problems.some(isError)) return exitCodes.failure;
  if (preview.halt && given.flags['dry-run'] === true) return exitCodes.incomplete;
  if (given.flags['dry-run'] === true || isDone(preview)) return exitCodes.success;
  if (given.flags.yes !== true && !(await confirmOrRefuse(io))) return exitCodes.success;
  if (given.flags['ignore-canary'] === true)
    io.writeError('--ignore-canary: nobody asks whether the cluster works between two units; watch it yourself\n');
  return printEnd(await alone(io, connection, world, policy, gateOf(world, given)), io);
}

const isDone = ({ replacements, unfinished }: RollPreview): boolean =>
  replacements.length === 0 && unfinished.length === 0;

/** Calls of AWS fail with errors of many kinds; before anything is begun they mean that it cannot be reached. */
async function fromAws<T>({ kube }: ClusterConnection, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (kube.isApiError(error)) throw error;
    if (error instanceof Error && '$metadata' in error)
      throw new UnavailableError(`AWS: ${error.name}: ${error.message}`);
    if (error instanceof Error && /Credentials|ECONN|ENOTFOUND|Timeout/.test(`${error.name} ${error.message}`))
      throw new UnavailableError(`AWS: ${error.message}`);
    throw error;
  }
}

/** Who is asked between two units. A canary that was named and is not there lets nothing begin. */
function gateOf(world: RollDeps, { values, flags }: RollArguments): RollRun['gate'] {
  if (flags['ignore-canary'] === true) return undefined;
  const { canary } = values;
  return async (since) => {
    const said = await checkCanaryGate(world, canary ?? canaryProject, since);
    return said.state === 'absent' && canary !== undefined ? { ...said, state: 'closed' } : said;
  };
}

/** Runs the roll while holding its lease: two at once could take two masters. */
async function alone(
  io: Io,
  { client, kube, clock }: ClusterConnection,
  world: RollDeps,
  policy: RollPolicy,
  gate: RollRun['gate'],
): Promise<RollEnd> {
  let outcome: RollEnd = { end: 'stopped', replaced: 0 };
  const identity = `${userAgent}-${Math.floor(clock.random() * 2 ** 32).toString(16)}`;
  const forget = io.onStop(() => io.writeError('stopped; run the same again to go on\n'));
  const election: Election = kube.runForLease({
    ...lease,
    ...leaseTimes,
    client,
    identity,
    clock,
    onHolder: (holder) =>
      holder === identity || holder === '' || io.writeError(`another roll, ${holder}, holds the lease; waiting\n`),
    onError: (error) => io.writeError(`the lease: ${errorText(error)}\n`),
    onLead: async (signal) => {
      outcome = await runRoll(world, { policy, signal, ...rollListener(io), ...(gate && { gate }) });
      void election.stop();
    },
  });
  try {
    await election.done;
  } finally {
    forget();
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
  else io.writeError(`stopped: the lease of the roll was lost; run the same again to go on (${count})\n`);
  return exitCodes.incomplete;
}
