import { canaryObjects, canaryVariableProblems } from '../../programs';
import { UsageError } from '../arguments';
import { type ExitCode } from '../exit-codes';
import { type Io } from '../io';
import { writeProgram } from '../program-objects';
import { programVariables } from '../program-variables';
import { type GivenCanary } from './canary-options';

/** `pinion canary objects`: what runs the canary in a cluster. */
export async function canaryObjectsText({ texts }: GivenCanary, io: Io): Promise<ExitCode> {
  const { image, schedule } = texts;
  if (image === undefined) throw new UsageError('canary objects needs --image IMAGE');
  const variables = programVariables(texts);
  const objects = canaryObjects({ image, ...(schedule !== undefined && { schedule }), ...variables });
  return writeProgram(objects, texts.output, io, canaryVariableProblems(variables));
}
