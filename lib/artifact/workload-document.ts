import { isPlainObject, type FieldPath, type Source } from '../api';

/** A custom resource that a workflow names, and where its fields were written. */
export interface WorkloadDocument {
  readonly value: Readonly<Record<string, unknown>>;
  readonly locate?: (path: FieldPath) => Source;
}

/** Kind, name and namespace of a document as they were written, whatever their types. */
export const wordsOf = ({ value }: WorkloadDocument): { kind: string; name: unknown; namespace: unknown } => {
  const { name, namespace } = isPlainObject(value['metadata']) ? value['metadata'] : {};
  return { kind: String(value['kind']), name, namespace };
};

/** Name of a document as problems say it. */
export const nameOf = (document: WorkloadDocument): string => {
  const { kind, namespace, name } = wordsOf(document);
  return `${kind} ${[namespace, name].filter((part) => typeof part === 'string').join('/')}`;
};
