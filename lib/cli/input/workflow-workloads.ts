import { resolve } from 'node:path';
import { parseDuration, type Problem, type Workflow } from '../../api';
import { type Io } from '../io/io';
import { withAppOutput } from './app-run';
import { isUnreadableFile, readInputs, type InputDocuments } from './input-documents';
import { shownPath } from './input-files';

/** Reads the workloads of a workflow in a folder, or runs the app that emits them; `failure` is its problem. */
export function readWorkloads<T>(
  { spec }: Workflow,
  folder: string,
  io: Io,
  action: (inputs: InputDocuments, failure: Problem | undefined) => Promise<T>,
): Promise<T> {
  const { files = [], app } = spec.workloads;
  const read = (args: readonly string[]): Promise<InputDocuments> => readInputs(args, io);
  if (!app) return read(files.map((name) => resolve(folder, name))).then((inputs) => action(inputs, undefined));
  const milliseconds = parseDuration(app.timeout)?.millis ?? 0;
  return withAppOutput({ command: app.command, cwd: folder, milliseconds }, io, async (output, failure) =>
    action(await read([output]), failure),
  );
}

/** Moves the problem of an unreadable file to the field of the workflow that names the file; returns other problems unchanged. */
export function atWorkflowField(problem: Problem, { metadata, spec }: Workflow, folder: string, io: Io): Problem {
  const { source, ...rest } = problem;
  if (!isUnreadableFile(problem)) return problem;
  const { files = [] } = spec.workloads;
  const index = files.findIndex((name) => shownPath(resolve(folder, name), io) === source?.file);
  if (index < 0) return problem;
  const object = `Workflow ${metadata.namespace}/${metadata.name}`;
  // Values under "files" are not shown.
  const reason = `names ${files[index]}, which ${problem.reason}`;
  return { ...rest, object, path: ['spec', 'workloads', 'files', index], reason };
}
