import { explainProblem, type Problem } from '../../../api';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { type Io } from '../../io/io';
import { type ObjectSet } from './import-source';
import { importSummary } from './import-summary';
import { leftoverText } from './imported-text';
import { importTargetOf } from './kinds/kind-imports';
import { partObjects } from './left-objects';
import { type NativeObject } from './native-object';
import { type Note } from './note';
import { SaidParts } from './said-parts';
import { writeImport } from './write-import';

/**
 * Writes the custom resources of all workloads that nothing manages, and a comment that lists the other objects.
 * Returns undefined if there is nothing to write.
 */
export async function importAll(set: ObjectSet, io: Io): Promise<ExitCode | undefined> {
  const { own, left } = partObjects(set.objects);
  const sources = own
    .filter((object) => importTargetOf(object) !== undefined)
    .map((object) => ({ ...set.sourceOf(object, own), podOwners: set.objects }));
  if (sources.length === 0 && left.length === 0) return undefined;
  const accounted = new Set<NativeObject>();
  let code: ExitCode = exitCodes.success;
  const notes: Note[] = [];
  const said = new SaidParts();
  let [imported, hasWritten] = [0, false];
  for (const source of sources) {
    if (hasWritten) await io.write('---\n');
    hasWritten = true;
    const written = await writeImport(source, undefined, io, said);
    if (written.code !== exitCodes.success) code = written.code;
    if (written.notes) imported++;
    notes.push(...(written.notes ?? []));
    for (const object of [source.object, ...written.related]) accounted.add(object);
  }
  const rest = own.filter((object) => !accounted.has(object));
  const { elsewhere = [], denied, place } = set;
  await io.write(leftoverText({ rest, left, elsewhere, denied }));
  const listed = rest.length + left.length + elsewhere.length;
  if (io.terminal.err) io.writeError(importSummary({ place, workloads: sources.length, imported, listed, notes }));
  return code;
}

/** Writes problems of objects that could not be read; returns the exit code. */
export function writeProblems(problems: readonly Problem[], io: Io): ExitCode {
  for (const problem of problems) io.writeError(`${explainProblem(problem)}\n`);
  return problems.length > 0 ? exitCodes.failure : exitCodes.success;
}
