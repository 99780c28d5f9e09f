import { isError, type Problem } from '../../api';
import { readDocuments, type ReadDocument } from '../../yaml';
import { exitCodes, type ExitCode } from '../command/exit-codes';
import { withProblemSource } from './input-documents';
import { inputFiles, readInput } from './input-files';
import { UnavailableError, type Io } from '../io/io';
import { problemLines } from '../output/tally';

/** Manifest of a file with a single manifest, or the problems. */
export interface SingleDocument {
  readonly document?: ReadDocument | undefined;
  readonly problems: readonly Problem[];
  readonly inaccessible?: boolean;
}

/** Reads a file with a single manifest. */
export async function readSingleDocument(arg: string, io: Io): Promise<SingleDocument> {
  const [file, ...others] = inputFiles([arg], io);
  const reject = (reason: string, remedy: string, inaccessible = false): SingleDocument => ({
    problems: [
      { code: 'parse-error', path: [], reason, remedy, source: { file: file?.shown ?? arg, line: 1, column: 1 } },
    ],
    inaccessible,
  });
  if (!file || others.length > 0) return reject('is a folder with several files or none', 'name one file');
  try {
    const { documents, problems } = readDocuments(await readInput(file, io), file.shown);
    if (problems.some(isError)) return { problems };
    const [document, ...rest] = documents;
    return document && rest.length === 0
      ? { document, problems }
      : reject(`contains ${documents.length} documents`, 'keep one');
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return reject(error.message, 'name a file that can be read', true);
  }
}

/** Prints problems to standard error and returns the exit code. */
export function printRejected({ document, problems, inaccessible }: SingleDocument, io: Io): ExitCode {
  for (const chunk of problemLines(problems.map((problem) => withProblemSource(problem, document))))
    io.writeError(chunk);
  return inaccessible ? exitCodes.unavailable : exitCodes.failure;
}
