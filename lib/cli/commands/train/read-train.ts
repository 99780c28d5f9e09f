import { dirname, relative, resolve } from 'node:path';
import { isError, isPlainObject, type Problem } from '../../../api';
import { type SentObject } from '../../../kube';
import type * as OperationsModule from '../../../operations';
import { type Train, type TrainStop } from '../../../operations';
import { readDocuments } from '../../../yaml';
import { withProblemSource } from '../../input/input-documents';
import { inputFiles, readInput } from '../../input/input-files';
import { readSingleDocument, type SingleDocument } from '../../input/single-document';
import { type Io } from '../../io/io';

/** A train with its manifests, or the problems. */
export interface ReadTrain extends SingleDocument {
  readonly train?: Train;
  readonly stops: readonly TrainStop[];
}

/** Reads a train and the manifests of all its clusters, so that nothing begins with a file that cannot be read. */
export async function readTrain(file: string, io: Io): Promise<ReadTrain> {
  const operations = module.require('../../../operations') as typeof OperationsModule;
  const single = await readSingleDocument(file, io);
  if (!single.document || single.problems.some(isError)) return { ...single, stops: [] };
  const { train, problems } = operations.safeParseTrain(single.document.value);
  if (!train) return { ...single, problems, stops: [] };
  const folder = file === '-' ? io.cwd : dirname(resolve(io.cwd, file));
  const found: Problem[] = [];
  const stops: TrainStop[] = [];
  for (const cluster of train.clusters) {
    const paths = cluster.manifests.map((path) => relative(io.cwd, resolve(folder, path)) || '.');
    stops.push({ cluster, manifests: await readManifests(paths, found, io) });
  }
  return found.some(isError) ? { problems: found, stops: [] } : { ...single, train, stops, problems: [] };
}

async function readManifests(paths: readonly string[], found: Problem[], io: Io): Promise<readonly SentObject[]> {
  const manifests: SentObject[] = [];
  for (const file of inputFiles(paths, io)) {
    if (file.unreadableReason !== undefined) {
      const source = { file: file.shown, line: 1, column: 1 };
      found.push({
        code: 'parse-error',
        path: [],
        reason: file.unreadableReason,
        remedy: 'name a file that can be read',
        source,
      });
      continue;
    }
    const { documents, problems } = readDocuments(await readInput(file, io), file.shown);
    found.push(...problems);
    for (const document of documents) {
      if (isManifest(document.value)) manifests.push(document.value);
      else
        found.push(
          withProblemSource(
            {
              code: 'required',
              path: [],
              reason: 'is not a Kubernetes object',
              remedy: 'set apiVersion, kind and metadata.name',
            },
            document,
          ),
        );
    }
  }
  return manifests;
}

const isManifest = (value: unknown): value is SentObject =>
  isPlainObject(value) &&
  typeof value['apiVersion'] === 'string' &&
  typeof value['kind'] === 'string' &&
  isPlainObject(value['metadata']) &&
  typeof value['metadata']['name'] === 'string';
