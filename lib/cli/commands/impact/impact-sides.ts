import { workloadKeyOf, type ImpactDocument, type ImpactSide } from '../../../impact';
import { groupBy } from '../../output/group-by';
import { type Side } from '../diff/compare-inputs';

/** Returns a side of inputs for an impact; undefined if its Platform has errors. */
export function impactSide({ label, inputs, known }: Side): ImpactSide | undefined {
  if (!known.cluster) return undefined;
  const workloads = inputs.documents.filter(({ is }) => is === 'workload').map(({ value }) => documentOf(value));
  const projects = inputs.documents.flatMap((document) =>
    document.is === 'platform' && document.manifest.kind === 'Project' ? [document.manifest.metadata.name] : [],
  );
  return { label, cluster: known.cluster, workloads, projects, unread: duplicatesOf(workloads, label) };
}

/** Returns a line for each workload that has several documents, of which only the last one is compared. */
export function duplicatesOf(workloads: readonly ImpactDocument[], label: string): readonly string[] {
  return [...groupBy(workloads, workloadKeyOf)].flatMap(([name, documents]) =>
    documents.length > 1 ? [`${name}: ${documents.length} documents in ${label} have this name; keep one`] : [],
  );
}

/** Returns a manifest without its status: files do not have the one of a cluster. */
export function documentOf(value: Readonly<Record<string, unknown>>): ImpactDocument {
  const { kind, metadata, spec } = value as { kind: string; metadata?: ImpactDocument['metadata']; spec?: unknown };
  return { kind, metadata: metadata ?? { name: '(without a name)' }, spec };
}
