import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../command/usage-error';
import { type Io } from '../io/io';

/** Throws a `UsageError` if an option would overwrite a file that the command reads. */
export function refuseToOverwriteInputs(
  inputs: readonly (string | undefined)[],
  outputs: Readonly<Record<string, string | undefined>>,
  { cwd }: Pick<Io, 'cwd'>,
): void {
  const inputPaths = new Set(inputs.filter((file) => file !== undefined).map((file) => realPathOf(file, cwd)));
  for (const [option, file] of Object.entries(outputs))
    if (file !== undefined && inputPaths.has(realPathOf(file, cwd)))
      throw new UsageError(`--${option} ${file} would overwrite an input file; choose another one`);
}

/** Returns the path of a file with symbolic links resolved. */
function realPathOf(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
