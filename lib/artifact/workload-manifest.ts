import { isPlainObject, type FieldPath, type Source } from '../api';

/** Workload manifest of a workflow, with the source positions of its fields. */
export interface WorkloadManifest {
  readonly value: Readonly<Record<string, unknown>>;
  readonly locate?: (path: FieldPath) => Source;
}

/** Returns kind, name and namespace of an unvalidated manifest. */
export const identityOf = ({ value }: WorkloadManifest): { kind: string; name: unknown; namespace: unknown } => {
  const { name, namespace } = isPlainObject(value['metadata']) ? value['metadata'] : {};
  return { kind: String(value['kind']), name, namespace };
};

/** Returns kind, namespace and name of a manifest for messages. */
export const manifestName = (document: WorkloadManifest): string => {
  const { kind, namespace, name } = identityOf(document);
  return `${kind} ${[namespace, name].filter((part) => typeof part === 'string').join('/')}`;
};
