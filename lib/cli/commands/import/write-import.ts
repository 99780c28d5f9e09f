import { explainProblem } from '../../../api';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UsageError } from '../../command/usage-error';
import { type Io } from '../../io/io';
import { type ImportSource } from './import-source';
import { importWorkload } from './import-workload';
import { importedText, notConvertedText } from './imported-text';
import { namespaceProblems } from './namespace-problems';
import { type NativeObject } from './native-object';
import { type Note } from './note';
import { SaidParts } from './said-parts';
import { ownedProblem } from './owned-problem';
import { unsupportedProblem } from './unsupported-problem';

/** Result of writing an import. */
interface WrittenImport {
  readonly code: ExitCode;
  /** Native objects that its comments account for. */
  readonly related: readonly NativeObject[];
  /** Its notes; undefined if no custom resource is written. */
  readonly notes?: readonly Note[];
}

/** Writes the custom resource of one workload; `name` is another name than its own, `said` what earlier comments have. */
export async function writeImport(
  source: ImportSource,
  name: string | undefined,
  io: Io,
  said: SaidParts = new SaidParts(),
): Promise<WrittenImport> {
  const owned = ownedProblem(source.object, source.namespace);
  if (owned) {
    io.writeError(`${explainProblem(owned)}\n`);
    return { code: exitCodes.failure, related: [] };
  }
  const misplaced = namespaceProblems(source);
  if (misplaced.length > 0) {
    for (const problem of misplaced) io.writeError(`${explainProblem(problem)}\n`);
    return { code: exitCodes.failure, related: [] };
  }
  const problem = unsupportedProblem(source);
  if (problem) {
    await io.write(notConvertedText(problem, source.origin));
    io.writeError(`${explainProblem(problem)}\n`);
    return { code: exitCodes.failure, related: [] };
  }
  const imported = importWorkload({ ...source, ...(name !== undefined && { name }) });
  if (!imported) throw new UsageError(`${source.object.kind} cannot be imported: no pinion kind corresponds to it`);
  await io.write(importedText(imported, source, said));
  for (const problem of imported.problems) io.writeError(`${explainProblem(problem)}\n`);
  return {
    code: imported.problems.length > 0 ? exitCodes.failure : exitCodes.success,
    related: imported.related,
    notes: imported.notes,
  };
}
