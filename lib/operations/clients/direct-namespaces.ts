import { entriesAt, ownProgramProjects, textAt, valueAt } from '../../api';

/** Namespace of the control plane's own pods. */
const controlPlaneNamespace = 'kube-system';

/**
 * Returns the namespaces whose service accounts may use the API server without the gateway: `kube-system`, the system
 * namespaces and the direct projects of the Platform, by default those of pinion's own programs, and infrastructure
 * Projects. Takes manifests or objects of the cluster.
 */
export function directNamespacesOf(manifests: readonly unknown[]): readonly string[] {
  const namespaces = manifests.flatMap((manifest) => {
    const name = textAt(manifest, 'metadata', 'name');
    if (textAt(manifest, 'kind') === 'Project')
      return valueAt(manifest, ['spec', 'infrastructure']) === true && name !== undefined ? [name] : [];
    if (textAt(manifest, 'kind') !== 'Platform') return [];
    const direct = valueAt(manifest, ['spec', 'gateway', 'directProjects']) ?? ownProgramProjects;
    return [
      ...entriesAt(manifest, 'spec', 'systemNamespaces').flatMap((entry) => textAt(entry, 'name') ?? []),
      ...(Array.isArray(direct) ? direct.filter((entry) => typeof entry === 'string') : []),
    ];
  });
  return [...new Set([controlPlaneNamespace, ...namespaces])];
}
