import { examineCapacity } from '../capacity';
import { UsageError } from './arguments';
import { capacityInput, refused } from './capacity-input';
import { planJson, planText } from './capacity-text';
import { exitCodes, type ExitCode } from './exit-codes';
import { type Io } from './io';
import { verb } from './verb';

const help = `pinion capacity plan [options] FILE

  plan FILE   masters, etcd, flags, client rates and node groups that a load asks for, each with its reason

FILE describes the load in YAML or JSON: region, zones, Kubernetes version, nodes, pods, churn, controllers, workload mix; - is
standard input. overrides in it replace planned values by name and are shown with what the plan had said.

  --reasons     the formula, inputs and source of every value
  -o, --output  text or json (all of it)
`;

/** `pinion capacity`: a control plane sized from the description of its load. */
export const capacity = verb({
  help,
  options: {
    output: { type: 'string', short: 'o', values: ['text', 'json'] },
    reasons: { type: 'boolean' },
  },
  async run({ words: [word, ...files], texts, flags }, io) {
    if (word !== 'plan') throw new UsageError('capacity needs a word: plan');
    return plan(files, { json: texts.output === 'json', reasons: flags.reasons === true }, io);
  },
});

async function plan(
  files: readonly string[],
  { json, reasons }: { readonly json: boolean; readonly reasons: boolean },
  io: Io,
): Promise<ExitCode> {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0)
    throw new UsageError('capacity plan needs one file, or - for standard input');
  const input = await capacityInput(file, io);
  if (!input.document) return refused(input, io);
  const { plan: made, problems } = examineCapacity(input.document.value);
  if (!made) return refused({ ...input, problems }, io);
  refused({ ...input, problems }, io);
  await io.write(json ? planJson(made) : planText(made, reasons));
  return exitCodes.fine;
}
