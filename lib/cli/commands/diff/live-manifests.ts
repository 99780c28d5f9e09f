import {
  safeParseManifest,
  textAt,
  type Metadata,
  type PlatformManifest,
  type Status,
  type Workload,
} from '../../../api';
import { mapConcurrently } from '../../../artifact';
import {
  createProjectContext,
  expandUnchecked,
  platformWithProfile,
  type PlatformContext,
  type ProjectContext,
  type RuntimeStatus,
} from '../../../expand';
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

/** Contexts with the runtime profile that the pods of a live workload have. */
export class LiveContexts {
  private readonly profiles = new Map<string, Promise<PlatformManifest<'RuntimeProfile'> | undefined>>();
  private readonly contexts = new Map<string, ProjectContext>();
  private runtimeStatus: Promise<RuntimeStatus | undefined> | undefined;

  constructor(
    private readonly cluster: PlatformContext,
    private readonly connection: ClusterConnection,
  ) {}

  /** Returns the context of a live workload; that of the current profile if its own no longer exists. */
  async of(live: LiveObject): Promise<ProjectContext> {
    const current = this.cluster.project(live.metadata.namespace ?? '');
    const name = textAt(live, 'status', 'runtimeProfile');
    if (name === undefined || name === current.profile.metadata.name) return current;
    const profile = await this.profile(name);
    if (!profile) return current;
    const key = `${name} ${live.metadata.namespace}`;
    const context =
      this.contexts.get(key) ??
      createProjectContext(platformWithProfile(current.platform, name, await this.runtime()), profile, current.project);
    this.contexts.set(key, context);
    return context;
  }

  /** Returns whether a deployment leaves a live workload on the profile of its pods, because the canary blocks the current one. */
  async keepsProfile(live: LiveObject): Promise<boolean> {
    const context = await this.of(live);
    if (context === this.cluster.project(live.metadata.namespace ?? '')) return false;
    return (await this.runtime())?.rolloutBlockedReason !== undefined;
  }

  /** Reads which profiles the Platform has recorded; undefined if it cannot be read. */
  private runtime(): Promise<RuntimeStatus | undefined> {
    const { client, kube } = this.connection;
    const read = async () => {
      const live = await client.get(kube.resourceOf('Platform'), { name: 'cluster' }).catch((error: unknown) => {
        if (kube.isApiError(error, 403, 404)) return undefined;
        throw error;
      });
      return (live?.['status'] as Status<'Platform'> | undefined)?.runtime;
    };
    return (this.runtimeStatus ??= read());
  }

  private profile(name: string): Promise<PlatformManifest<'RuntimeProfile'> | undefined> {
    const { client, kube } = this.connection;
    const read = async () => {
      const live = await client.get(kube.resourceOf('RuntimeProfile'), { name });
      if (!live) return undefined;
      const { apiVersion, kind, spec } = live;
      const { manifest } = safeParseManifest({ apiVersion, kind, metadata: { name }, spec });
      return manifest as PlatformManifest<'RuntimeProfile'> | undefined;
    };
    const found = this.profiles.get(name) ?? read();
    this.profiles.set(name, found);
    return found;
  }
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
