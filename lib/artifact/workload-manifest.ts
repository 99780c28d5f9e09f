import { isPlainObject, isWorkloadKind, type FieldPath, type Problem, type Source } from '../api';

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

/** Returns a problem with the source position of its field. */
export const withManifestSource = (problem: Problem, locate: WorkloadManifest['locate']): Problem =>
  problem.source || !locate ? problem : { ...problem, source: locate(problem.path) };

/** Reports manifests that are not workloads, belong to another project, or are duplicates. */
export function manifestProblems(documents: readonly WorkloadManifest[], project: string): Problem[] {
  const known = new Set<string>();
  return documents.flatMap((document) => {
    const [object, { kind, namespace, name }] = [manifestName(document), identityOf(document)];
    const report = (code: Problem['code'], path: FieldPath, value: unknown, reason: string, remedy: string) => [
      withManifestSource({ code, path, value, reason, remedy, object }, document.locate),
    ];
    if (!isWorkloadKind(kind))
      return report(
        'unknown-kind',
        ['kind'],
        kind,
        'is not a workload kind',
        'list only workload manifests in the workflow',
      );
    if (namespace !== undefined && namespace !== project)
      return report(
        'invalid-combination',
        ['metadata', 'namespace'],
        namespace,
        `must be the project of the workflow, ${project}`,
        'publish it with a workflow of its own project',
      );
    const isSecond = known.has(object);
    known.add(object);
    return isSecond ? report('duplicate', ['metadata', 'name'], name, 'is listed twice', 'remove one of the two') : [];
  });
}
