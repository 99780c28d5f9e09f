import {
  safePlanCapacity,
  safeParseHistory,
  forecast,
  controlPlaneOf,
  controlPlaneOf2020,
  simulateIncident,
  type CapacityPlan,
} from '../../../capacity';
import { type Arguments, UsageError } from '../../command/arguments';
import { readSingleDocument, printRejected } from '../../input/single-document';
import { capacityLoad } from './capacity-load';
import { forecastText } from './forecast-text';
import { simulationText } from './simulation-text';
import { planText } from './plan-text';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { defineCommand } from '../../command/command';

const help = `pinion capacity plan [options] FILE
pinion capacity forecast [options] FILE HISTORY
pinion capacity simulate [options] FILE

  plan FILE              control plane nodes, etcd, flags, client rates and node groups for a load, each with its reason
  forecast FILE HISTORY  when each limit of that plan is reached as usage grows, and what to buy
  simulate FILE          the incident of 2020, minute by minute, on a plan of that time and on this one

FILE describes the load in YAML or JSON: region, zones, Kubernetes version, nodes, pods, churn, controllers, workload mix;
- is standard input. The file of a stack that describes a cluster, Pulumi.cluster-….yaml, will do as well. overrides in it replace planned values by name and are shown with what the plan had said.
HISTORY holds samples: day, nodes, pods, requestsPerSecond and etcdBytes, at the peak of each day.

  --reasons      plan: the formula, inputs and source of every value
  --days COUNT   forecast: how far to look (default: 180)
  -o, --output   text or json (all of it)
`;

const options = {
  output: { type: 'string', short: 'o', values: ['text', 'json'] },
  days: { type: 'string' },
  reasons: { type: 'boolean' },
} as const;

type Given = Arguments<keyof typeof options>;

/** `pinion capacity`: a control plane sized from the description of its load. */
export const capacityCommand = defineCommand({
  help,
  options,
  subcommands: ['plan', 'forecast', 'simulate'],
  async run(given, io) {
    const [word, ...files] = given.positionals;
    if (word === 'plan') return plan(files, given, io);
    if (word === 'forecast') return look(files, given, io);
    if (word === 'simulate') return play(files, given, io);
    throw new UsageError(
      `capacity needs a word: plan, forecast or simulate${word === undefined ? '' : `, not ${word}`}`,
    );
  },
});

/** What a command prints: text for a person, or all of it as JSON. */
const print = (given: Given, io: Io, all: unknown, text: () => string): Promise<void> =>
  io.write(given.values.output === 'json' ? `${JSON.stringify(all, null, 2)}\n` : text());

async function plan(files: readonly string[], given: Given, io: Io): Promise<ExitCode> {
  const made = await planOf(oneFile('plan', files), io);
  if (typeof made === 'number') return made;
  await print(given, io, made, () => planText(made, given.flags.reasons === true));
  return exitCodes.success;
}

async function look([file, history, ...more]: readonly string[], given: Given, io: Io): Promise<ExitCode> {
  if (file === undefined || history === undefined || more.length > 0)
    throw new UsageError('capacity forecast needs two files: the load, and the history of usage');
  const days = Number(given.values.days ?? 180);
  if (!Number.isInteger(days) || days < 1 || days > 3650)
    throw new UsageError('--days takes a whole number from 1 to 3650');
  const made = await planOf(file, io);
  if (typeof made === 'number') return made;
  const input = await readSingleDocument(history, io);
  if (!input.document) return printRejected(input, io);
  const { usage, problems } = safeParseHistory(input.document.value);
  const code = printRejected({ ...input, problems: [...input.problems, ...problems] }, io);
  if (!usage) return code;
  const found = forecast(made, usage, days);
  await print(given, io, found, () => forecastText(found));
  return exitCodes.success;
}

async function play(files: readonly string[], given: Given, io: Io): Promise<ExitCode> {
  const made = await planOf(oneFile('simulate', files), io);
  if (typeof made === 'number') return made;
  const rehearsals = [controlPlaneOf2020(made.load.nodes), controlPlaneOf(made)].map((plane) =>
    simulateIncident(made.load, plane),
  );
  await print(given, io, rehearsals, () => simulationText(made, rehearsals));
  return exitCodes.success;
}

function oneFile(word: string, [file, ...more]: readonly string[]): string {
  if (file === undefined || more.length > 0)
    throw new UsageError(`capacity ${word} needs one file, or - for standard input`);
  return file;
}

/** The plan for a file, warnings told; where there is none, how the process should end. */
async function planOf(file: string, io: Io): Promise<CapacityPlan | ExitCode> {
  const input = await readSingleDocument(file, io);
  if (!input.document) return printRejected(input, io);
  const load = capacityLoad(input.document.value);
  if (load.missing) return printRejected({ ...input, problems: [...input.problems, load.missing] }, io);
  const { plan: made, problems } = safePlanCapacity(load.value);
  const code = printRejected({ ...input, problems: [...input.problems, ...problems.map(load.inDocument)] }, io);
  return made ?? code;
}
