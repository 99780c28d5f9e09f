import { quotaMonitorManifests, quotaMonitorVariableProblems } from '../../../programs';
import { type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { printManifests } from '../../output/print-program';
import { programVariables } from '../../input/program-variables';
import { type QuotaManifestOptions } from './quota-options';

/** `pinion quota manifests`: prints the manifests of the quota monitor. */
export async function printMonitorManifests(options: QuotaManifestOptions, io: Io): Promise<ExitCode> {
  const variables = programVariables(options);
  const objects = quotaMonitorManifests({ image: options.image, ...variables });
  return printManifests(objects, options.output, io, quotaMonitorVariableProblems(variables));
}
