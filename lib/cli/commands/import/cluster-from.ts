import { safeParseManifest, ProblemsError, type PlatformManifest } from '../../../api';
import { resolvePlatform, type PlatformContext } from '../../../expand';
import { type ReadCluster } from '../../cluster/cluster-connection';
import { cleanDocuments } from '../../cluster/clean-documents';

/** Returns the platform context of a cluster; undefined if it has no Platform or an invalid one. */
export async function clusterFrom(cluster: ReadCluster): Promise<PlatformContext | undefined> {
  const documents = cleanDocuments(
    await cluster.listIfKnown('Platform'),
    await cluster.listIfKnown('RuntimeProfile'),
    await cluster.listIfKnown('Project'),
  );
  const manifests = documents.flatMap((document) => safeParseManifest(document).manifest ?? []);
  if (documents.length === 0 || manifests.length < documents.length) return undefined;
  try {
    return resolvePlatform(manifests as PlatformManifest[]);
  } catch (error) {
    if (error instanceof ProblemsError) return undefined;
    throw error;
  }
}
