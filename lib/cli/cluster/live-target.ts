import { isPlatformKind, safeParseManifest, textAt, type PlatformManifest } from '../../api';
import { resolvePlatform, type PlatformContext } from '../../expand';
import { type ReadManifests } from '../input/read-manifests';
import { inStage } from '../input/stage-inputs';
import { type TargetCluster } from '../input/target-cluster';
import { cleanDocuments } from './clean-documents';
import { type ClusterConnection } from './cluster-connection';

/** Options that decide which Platform applies. */
export interface LiveTargetOptions {
  /** Whether the command line names the Platform. */
  readonly isPlatformNamed: boolean;
  /** Stage of the inputs. */
  readonly stage?: string | undefined;
}

/** Returns the Platform of the inputs or the command line, else that of the cluster, else that of the nearest file. */
export async function liveTarget(
  { inputs, known }: ReadManifests,
  { isPlatformNamed, stage }: LiveTargetOptions,
  connection: ClusterConnection,
): Promise<TargetCluster> {
  const isGiven = inputs.documents.some(
    (document) => document.is === 'platform' && !document.context && document.value['kind'] === 'Platform',
  );
  if (isGiven || isPlatformNamed) return known;
  const projects = inputs.documents.flatMap(({ is, value }) => {
    const { namespace } = (value['metadata'] ?? {}) as { readonly namespace?: unknown };
    return is === 'workload' && typeof namespace === 'string' ? namespace : [];
  });
  const live = await liveCluster([...new Set(projects)], connection);
  if (!live) return known;
  return { ...known, cluster: stage === undefined ? live : inStage(live, stage), origin: 'the cluster' };
}

/**
 * Returns the Platform of a cluster with its RuntimeProfile and the Projects of the inputs; undefined if it has none.
 * Only Projects that are needed are read.
 */
async function liveCluster(
  projects: readonly string[],
  { client, kube }: ClusterConnection,
): Promise<PlatformContext | undefined> {
  const known = async <T>(read: Promise<T>, fallback: T): Promise<T> =>
    read.catch((error: unknown) => {
      if (kube.isApiError(error, 403, 404)) return fallback;
      throw error;
    });
  const platforms = await known(kube.listAllPages(client, 'Platform', {}), []);
  const profile = textAt(platforms[0], 'spec', 'runtime', 'profile');
  if (profile === undefined) return undefined;
  const get = (kind: string, name: string) => known(client.get(kube.resourceOf(kind), { name }), undefined);
  const [runtimeProfile, ...found] = await Promise.all([
    get('RuntimeProfile', profile),
    ...projects.map((name) => get('Project', name)),
  ]);
  const documents = cleanDocuments(
    platforms,
    runtimeProfile ? [runtimeProfile] : [],
    found.flatMap((one) => one ?? []),
  );
  const manifests = documents.flatMap((document) => safeParseManifest(document).manifest ?? []);
  return resolvePlatform(manifests.filter(({ kind }) => isPlatformKind(kind)) as PlatformManifest[]);
}
