import { examine, ProblemsError, type PlatformDocument } from '../../api';
import { resolve, type Cluster } from '../../expand';
import { type ReadCluster } from '../cluster-connection';
import { cleanDocuments } from '../platform-pull';

/** What a cluster says of itself; undefined where it has no Platform yet, or one that cannot be read. */
export async function clusterFrom(cluster: ReadCluster): Promise<Cluster | undefined> {
  const documents = cleanDocuments(
    await cluster.listIfKnown('Platform'),
    await cluster.listIfKnown('RuntimeProfile'),
    await cluster.listIfKnown('Project'),
  );
  const completed = documents.flatMap((document) => examine(document).completed ?? []);
  if (documents.length === 0 || completed.length < documents.length) return undefined;
  try {
    return resolve(completed as PlatformDocument[]);
  } catch (error) {
    if (error instanceof ProblemsError) return undefined;
    throw error;
  }
}
