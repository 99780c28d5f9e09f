import { canaryManifests, canaryVariableProblems } from '../../../programs';
import { type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { printManifests } from '../../output/print-program';
import { programVariables } from '../../input/program-variables';
import { type CanaryManifestValues } from './canary-options';

/** `pinion canary manifests`: prints the manifests of the canary. */
export async function printCanaryManifests(options: CanaryManifestValues, io: Io): Promise<ExitCode> {
  const { image, schedule } = options;
  const variables = programVariables(options);
  const objects = canaryManifests({ image, ...(schedule !== undefined && { schedule }), ...variables });
  return printManifests(objects, options.output, io, canaryVariableProblems(variables));
}
