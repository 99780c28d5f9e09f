import {
  safePlanCapacity,
  safeParseHistory,
  forecast,
  controlPlaneOf,
  controlPlaneOf2020,
  simulateIncident,
  type CapacityPlan,
} from '../../../capacity';
import { readSingleDocument, printRejected } from '../../input/single-document';
import { capacityLoad } from './capacity-load';
import { forecastText } from './forecast-text';
import { simulationText } from './simulation-text';
import { planText } from './plan-text';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { defineCommand, type CommandGroup } from '../../command/command';
import { textOutput } from '../../command/output-options';

const loadArgument = {
  valueName: 'FILE',
  required: true,
  description: 'load description in YAML or JSON, or Pulumi.cluster-*.yaml of a cluster stack; - for standard input',
} as const;

/** `pinion capacity`. */
export const capacityCommand: CommandGroup = {
  description: `FILE describes the load: region, zones, Kubernetes version, nodes, pods, churn, controllers and workload mix. Its overrides replace planned values by name; the output shows both. The subcommands do not connect to a cluster or a cloud.`,
  subcommands: {
    plan: {
      summary: 'plan control plane nodes, etcd, flags, client rates and node groups, each with its reason',
      load: () =>
        defineCommand({
          arguments: { file: loadArgument },
          options: {
            reasons: { type: 'flag', description: 'show the formula, inputs and source of every value' },
            output: textOutput,
          },
          run: ({ args, options }, io) => printPlan(args.file, options, io),
        }),
    },
    forecast: {
      summary: 'show when each limit of the plan is reached as usage grows, and which values to raise',
      load: () =>
        defineCommand({
          arguments: {
            file: loadArgument,
            history: {
              valueName: 'HISTORY',
              required: true,
              description: 'file with daily peaks: day, nodes, pods, requestsPerSecond and etcdBytes',
            },
          },
          options: {
            days: { type: 'integer', min: 1, max: 3650, default: 180, description: 'number of days to forecast' },
            output: textOutput,
          },
          run: ({ args, options }, io) => printForecast(args.file, args.history, options, io),
        }),
    },
    simulate: {
      summary: 'simulate the 2020 incident minute by minute, with the plan used then and with the plan for FILE',
      load: () =>
        defineCommand({
          arguments: { file: loadArgument },
          options: { output: textOutput },
          run: ({ args, options }, io) => printSimulation(args.file, options, io),
        }),
    },
  },
};

interface Output {
  readonly output: string;
}

/** Prints text, or everything as JSON. */
const print = ({ output }: Output, io: Io, all: unknown, text: () => string): Promise<void> =>
  io.write(output === 'json' ? `${JSON.stringify(all, null, 2)}\n` : text());

async function printPlan(file: string, options: Output & { readonly reasons: boolean }, io: Io): Promise<ExitCode> {
  const plan = await planOf(file, io);
  if (typeof plan === 'number') return plan;
  await print(options, io, plan, () => planText(plan, options.reasons));
  return exitCodes.success;
}

async function printForecast(
  file: string,
  history: string,
  options: Output & { readonly days: number },
  io: Io,
): Promise<ExitCode> {
  const plan = await planOf(file, io);
  if (typeof plan === 'number') return plan;
  const input = await readSingleDocument(history, io);
  if (!input.document) return printRejected(input, io);
  const { usage, problems } = safeParseHistory(input.document.value);
  const code = printRejected({ ...input, problems: [...input.problems, ...problems] }, io);
  if (!usage) return code;
  const result = forecast(plan, usage, options.days);
  await print(options, io, result, () => forecastText(result));
  return exitCodes.success;
}

async function printSimulation(file: string, options: Output, io: Io): Promise<ExitCode> {
  const plan = await planOf(file, io);
  if (typeof plan === 'number') return plan;
  const simulations = [controlPlaneOf2020(plan.load.nodes), controlPlaneOf(plan)].map((plane) =>
    simulateIncident(plan.load, plane),
  );
  await print(options, io, simulations, () => simulationText(plan, simulations));
  return exitCodes.success;
}

/** Returns the plan for a file after printing its problems; an exit code if there is no plan. */
async function planOf(file: string, io: Io): Promise<CapacityPlan | ExitCode> {
  const input = await readSingleDocument(file, io);
  if (!input.document) return printRejected(input, io);
  const load = capacityLoad(input.document.value);
  if (load.missing) return printRejected({ ...input, problems: [...input.problems, load.missing] }, io);
  const { plan, problems } = safePlanCapacity(load.value);
  const code = printRejected({ ...input, problems: [...input.problems, ...problems.map(load.inDocument)] }, io);
  return plan ?? code;
}
