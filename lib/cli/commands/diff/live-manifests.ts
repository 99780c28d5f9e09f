import { safeParseManifest, type Metadata, type Workload } from '../../../api';
import { mapConcurrently } from '../../../artifact';
import { expandUnchecked, type ProjectContext } from '../../../expand';
import { type LiveObject } from '../../../kube';
import { maxRequests, type ClusterConnection } from '../../cluster/cluster-connection';
import { type InputDocument } from '../../input/input-documents';
import { messageName } from './live-objects';
import { manifestContent, type ComparedManifest } from './manifest-difference';

/** Custom resources of a cluster that inputs name, by `Kind namespace/name`. */
export type LiveWorkloads = ReadonlyMap<string, LiveObject>;

/** Reads custom resources: one request for each, or one list if several are in the same namespace. */
export async function readLiveWorkloads(
  documents: readonly InputDocument[],
  { client, kube }: ClusterConnection,
): Promise<LiveWorkloads> {
  const groups = new Map<string, { kind: string; namespace: string; names: string[] }>();
  for (const { is, value } of documents) {
    const { namespace, name } = (value['metadata'] ?? {}) as Metadata & { namespace?: string; name?: string };
    if (is !== 'workload' || namespace === undefined || name === undefined) continue;
    const kind = String(value['kind']);
    const group = groups.get(`${kind} ${namespace}`) ?? { kind, namespace, names: [] };
    group.names.push(name);
    groups.set(`${kind} ${namespace}`, group);
  }
  const found = await mapConcurrently(
    [...groups.values()],
    async ({ kind, namespace, names }) => {
      const [name, other] = names;
      const resource = kube.resourceOf(kind);
      try {
        if (name === undefined || other !== undefined) return await kube.listAllPages(client, kind, { namespace });
        const live = await client.get(resource, { name, namespace });
        return live ? [live] : [];
      } catch (error) {
        // Without the controller, the kind does not exist.
        if (kube.isApiError(error, 404)) return [];
        throw error;
      }
    },
    maxRequests,
  );
  return new Map(found.flat().map((live) => [messageName(live), live]));
}

/** Returns a custom resource as a manifest with its objects; undefined if current rules reject it. */
export function liveManifest(
  { apiVersion, kind, metadata, spec }: LiveObject,
  context: ProjectContext,
): ComparedManifest | undefined {
  const { name, namespace, labels, annotations } = metadata;
  const { manifest } = safeParseManifest({
    apiVersion,
    kind,
    metadata: { name, namespace, ...(labels && { labels }), ...(annotations && { annotations }) },
    spec,
  });
  if (!manifest) return undefined;
  const workload = manifest as Workload;
  const objects = expandUnchecked(workload, context);
  return { kind, namespace, name, content: manifestContent(manifest), objects, source: { workload, context } };
}
