import { canaryManifests, canaryVariableProblems } from '../../../programs';
import { UsageError } from '../../command/arguments';
import { type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { printManifests } from '../../output/print-program';
import { parseProgramVariables } from '../../input/program-variables';
import { type CanaryArguments } from './canary-options';

/** `pinion canary manifests`: what runs the canary in a cluster. */
export async function printCanaryManifests({ values }: CanaryArguments, io: Io): Promise<ExitCode> {
  const { image, schedule } = values;
  if (image === undefined) throw new UsageError('canary manifests needs --image IMAGE');
  const variables = parseProgramVariables(values);
  const objects = canaryManifests({ image, ...(schedule !== undefined && { schedule }), ...variables });
  return printManifests(objects, values.output, io, canaryVariableProblems(variables));
}
