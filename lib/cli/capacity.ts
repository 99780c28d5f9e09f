import { examineCapacity, examineHistory, forecast, planeOf, planeOf2020, rehearse, type Plan } from '../capacity';
import { type Arguments, UsageError } from './arguments';
import { capacityInput, refused } from './capacity-input';
import { capacityLoad } from './capacity-load';
import { forecastText } from './capacity-forecast-text';
import { rehearsalText } from './capacity-rehearsal-text';
import { planText } from './capacity-text';
import { exitCodes, type ExitCode } from './exit-codes';
import { type Io } from './io';
import { verb } from './verb';

const help = `pinion capacity plan [options] FILE
pinion capacity forecast [options] FILE HISTORY
pinion capacity rehearse [options] FILE

  plan FILE              masters, etcd, flags, client rates and node groups that a load asks for, each with its reason
  forecast FILE HISTORY  when each limit of that plan is reached as usage grows, and what to buy
  rehearse FILE          the incident of 2020, minute by minute, on a plan of that time and on this one

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
export const capacity = verb({
  help,
  options,
  words: ['plan', 'forecast', 'rehearse'],
  async run(given, io) {
    const [word, ...files] = given.words;
    if (word === 'plan') return plan(files, given, io);
    if (word === 'forecast') return look(files, given, io);
    if (word === 'rehearse') return play(files, given, io);
    throw new UsageError(
      `capacity needs a word: plan, forecast or rehearse${word === undefined ? '' : `, not ${word}`}`,
    );
  },
});

/** What a command prints: text for a person, or all of it as JSON. */
const print = (given: Given, io: Io, all: unknown, text: () => string): Promise<void> =>
  io.write(given.texts.output === 'json' ? `${JSON.stringify(all, null, 2)}\n` : text());

async function plan(files: readonly string[], given: Given, io: Io): Promise<ExitCode> {
  const made = await planOf(oneFile('plan', files), io);
  if (typeof made === 'number') return made;
  await print(given, io, made, () => planText(made, given.flags.reasons === true));
  return exitCodes.fine;
}

async function look([file, history, ...more]: readonly string[], given: Given, io: Io): Promise<ExitCode> {
  if (file === undefined || history === undefined || more.length > 0)
    throw new UsageError('capacity forecast needs two files: the load, and the history of usage');
  const days = Number(given.texts.days ?? 180);
  if (!Number.isInteger(days) || days < 1 || days > 3650)
    throw new UsageError('--days takes a whole number from 1 to 3650');
  const made = await planOf(file, io);
  if (typeof made === 'number') return made;
  const input = await capacityInput(history, io);
  if (!input.document) return refused(input, io);
  const { usage, problems } = examineHistory(input.document.value);
  const code = refused({ ...input, problems: [...input.problems, ...problems] }, io);
  if (!usage) return code;
  const found = forecast(made, usage, days);
  await print(given, io, found, () => forecastText(found));
  return exitCodes.fine;
}

async function play(files: readonly string[], given: Given, io: Io): Promise<ExitCode> {
  const made = await planOf(oneFile('rehearse', files), io);
  if (typeof made === 'number') return made;
  const rehearsals = [planeOf2020(made.load.nodes), planeOf(made)].map((plane) => rehearse(made.load, plane));
  await print(given, io, rehearsals, () => rehearsalText(made, rehearsals));
  return exitCodes.fine;
}

function oneFile(word: string, [file, ...more]: readonly string[]): string {
  if (file === undefined || more.length > 0)
    throw new UsageError(`capacity ${word} needs one file, or - for standard input`);
  return file;
}

/** The plan for a file, warnings told; where there is none, how the process should end. */
async function planOf(file: string, io: Io): Promise<Plan | ExitCode> {
  const input = await capacityInput(file, io);
  if (!input.document) return refused(input, io);
  const load = capacityLoad(input.document.value);
  if (load.missing) return refused({ ...input, problems: [...input.problems, load.missing] }, io);
  const { plan: made, problems } = examineCapacity(load.value);
  const code = refused({ ...input, problems: [...input.problems, ...problems.map(load.inDocument)] }, io);
  return made ?? code;
}
