import { crdOf, isPlainObject, pinionKinds, type PinionKind } from '../../../api';
import { asDefinition, type CustomResourceDefinition, type StoredObject } from '../../../definitions';
import { readDocuments } from '../../../yaml';
import { UsageError } from '../../command/usage-error';
import { inputFiles, readInput } from '../../input/input-files';
import { type Io, UnavailableError } from '../../io/io';
import { explainProblem, isError } from '../../../api';

/** Returns the definitions of this version of pinion. */
export const ownDefinitions = (): CustomResourceDefinition[] =>
  (Object.keys(pinionKinds) as PinionKind[]).flatMap((kind) => {
    // As JSON: values that are undefined are absent.
    const definition = asDefinition(JSON.parse(JSON.stringify(crdOf(kind))));
    return definition ? [definition] : [];
  });

/** Reads all documents of files and folders. Throws for those that cannot be read or parsed. */
export async function readAllDocuments(args: readonly string[], io: Io): Promise<StoredObject[]> {
  const documents: StoredObject[] = [];
  for (const file of inputFiles(args, io)) {
    if (file.unreadableReason !== undefined) throw new UnavailableError(`${file.shown} ${file.unreadableReason}`);
    const read = readDocuments(await readInput(file, io), file.shown);
    const errors = read.problems.filter(isError);
    if (errors.length > 0) throw new UsageError(errors.map(explainProblem).join('\n'));
    for (const { value } of read.documents) if (isPlainObject(value)) documents.push(value);
  }
  return documents;
}

/** Reads the definitions in files and folders; other documents are skipped. Throws if there is none. */
export async function readDefinitions(args: readonly string[], label: string, io: Io): Promise<CustomResourceDefinition[]> {
  const documents = await readAllDocuments(args, io);
  const found = documents.flatMap((document) => {
    if (document['kind'] !== 'CustomResourceDefinition') return [];
    const definition = asDefinition(document);
    if (definition) return [definition];
    const { name } = (document['metadata'] ?? {}) as { readonly name?: unknown };
    throw new UsageError(
      `${label}: CustomResourceDefinition ${String(name)} is not a complete definition of apiextensions.k8s.io/v1; correct it, or convert it with kubectl`,
    );
  });
  if (found.length === 0) throw new UsageError(`${label} has no CustomResourceDefinition; name files that have one`);
  return found;
}
