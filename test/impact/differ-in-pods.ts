import { parseManifest, type ManifestInput, type Workload, type WorkloadKind } from '../../lib/api';
import { expand, satisfies, type KubernetesObject, type ProjectContext } from '../../lib/expand';
import { type ImpactDocument } from '../../lib/impact';

/** Returns the objects of a document. */
export function expansionOf(document: ImpactDocument, context: ProjectContext): readonly KubernetesObject[] {
  const { kind, metadata, spec } = document;
  const input = { apiVersion: 'pinterest.com/v1', kind, metadata, spec } as ManifestInput<WorkloadKind>;
  return expand(parseManifest(input) as unknown as Workload, context);
}

/** Returns whether pods restart by the comparison of the controller with what the API server stores. */
export function differInPods(before: readonly KubernetesObject[], after: readonly KubernetesObject[]): boolean {
  const later = new Map(after.map((object) => [`${object.kind}/${object.metadata.name}`, object]));
  return before.some((one) => {
    const other = later.get(`${one.kind}/${one.metadata.name}`);
    if (!['Deployment', 'StatefulSet', 'DaemonSet'].includes(one.kind) || !other) return false;
    const template = ({ kind, apiVersion, spec }: KubernetesObject) => ({
      apiVersion,
      kind,
      spec: { template: (spec as { template: unknown }).template },
    });
    return !satisfies(template(one), template(other)) || !satisfies(template(other), template(one));
  });
}
