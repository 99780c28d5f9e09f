import { mapConcurrently } from '../../../artifact';
import { expandUnchecked, fieldDifferences, type KubernetesObject, type ProjectContext } from '../../../expand';
import { type LiveObject } from '../../../kube';
import { maxRequests, type ClusterConnection } from '../../cluster/cluster-connection';
import { readLiveNeighbors } from '../../cluster/live-neighbors';
import { liveTarget } from '../../cluster/live-target';
import { notesOfSide, SideReader, type InputDiff, type Side } from './compare-inputs';
import { LiveContexts } from './live-contexts';
import { liveManifest, readLiveWorkloads } from './live-manifests';
import { livePair, messageName, type LivePair } from './live-objects';
import { PlatformRecords } from './platform-records';
import { manifestDifference, type ComparedManifest, type ManifestDifference } from './manifest-difference';

/** A manifest in the cluster, and as it would be after it is applied. */
type Versions = readonly [before: ComparedManifest | undefined, after: ComparedManifest, isIncomplete?: boolean];

/**
 * Compares inputs with a cluster. A workload that exists as a custom resource is compared by what the controller makes of
 * both; other objects one by one, by an apply that is not stored.
 */
export async function compareWithCluster(side: Side, connection: ClusterConnection): Promise<InputDiff> {
  const documents = side.inputs.documents.filter((document) => document.is !== 'platform' || !document.context);
  const live = await readLiveWorkloads(documents, connection);
  const { isPlatformNamed = false, stage } = side;
  const known = await liveTarget(side, { isPlatformNamed, stage }, connection);
  const { cluster, stored } = known;
  const reader = new SideReader({ ...side, known });
  const records = new PlatformRecords(connection);
  const target = cluster && new LiveContexts(cluster, connection, records);
  const contexts = target && { target, stored: stored ? new LiveContexts(stored, connection, records) : target };
  const notes = notesOfSide({ ...side, known });
  const changes: ManifestDifference[] = [];
  let unchanged = 0;
  let notCompared = 0;
  for (const document of documents) {
    const manifest = reader.read(document);
    if (!manifest) continue;
    const found = live.get(liveName(manifest));
    const [before, after, isIncomplete] =
      found && contexts
        ? await storedVersions(found, manifest, contexts, notes)
        : await appliedVersions(manifest, connection, notes);
    const difference = manifestDifference(before, before ? after : await createdVersion(after, manifest, target));
    if (difference) changes.push(difference);
    else if (!isIncomplete) unchanged++;
    if (isIncomplete) notCompared++;
  }
  await reader.finishLive((set) => readLiveNeighbors(set, connection, notes));
  const { problems } = reader;
  return { before: 'the cluster', after: side.label, changes, unchanged, notCompared, notes, problems };
}

const liveName = ({ kind, namespace = '', name }: ComparedManifest): string => `${kind} ${namespace}/${name}`;

/** Returns a custom resource and its input, each at the revision or with the runtime profile that the controller selects for it. */
async function storedVersions(
  live: LiveObject,
  after: ComparedManifest,
  contexts: { readonly stored: LiveContexts; readonly target: LiveContexts },
  notes: string[],
): Promise<Versions> {
  const before = liveManifest(live, await contexts.stored.of(live));
  if (!before)
    notes.push(`${messageName(live)} is in the cluster, but current rules reject it; it is shown as created`);
  const fields = before ? fieldDifferences(before.content, after.content, []) : [];
  if (!before || !after.source) return [before, after];
  const isScaled = fields.every(({ path }) => path === 'spec.replicas');
  const { workload } = after.source;
  return [before, inContext(after, await contexts.target.afterDeployment(live, { workload, isScaled }))];
}

/** Returns a manifest with its objects in another context. */
function inContext(manifest: ComparedManifest, context: ProjectContext): ComparedManifest {
  if (!manifest.source || manifest.source.context === context) return manifest;
  const { workload } = manifest.source;
  return { ...manifest, objects: expandUnchecked(workload, context), source: { workload, context } };
}

/** Returns a manifest of which nothing is in the cluster, as the controller creates it. */
async function createdVersion(
  after: ComparedManifest,
  { source, ...manifest }: ComparedManifest,
  contexts: LiveContexts | undefined,
): Promise<ComparedManifest> {
  if (!contexts || !source) return after;
  const { kind, namespace = '' } = manifest;
  return { ...after, objects: inContext({ ...manifest, source }, await contexts.ofNew(kind, namespace)).objects };
}

/** Returns the objects of a manifest in the cluster, and as an apply would store them. */
async function appliedVersions(
  manifest: ComparedManifest,
  connection: ClusterConnection,
  notes: string[],
): Promise<Versions> {
  const pairs = await mapConcurrently(manifest.objects, (object) => livePair(object, connection), maxRequests);
  const known = pairs.flatMap((pair, index): LivePair[] => {
    if (typeof pair !== 'string') return [pair];
    notes.push(`${messageName(manifest.objects[index] as KubernetesObject)} ${pair}`);
    return [];
  });
  const before = known.flatMap((pair) => pair.before ?? []);
  const { source: _, ...head } = { ...manifest, content: {} };
  const exists = before.length > 0 || known.length === 0;
  const after = { ...head, objects: known.map((pair) => pair.after) };
  return [exists ? { ...head, objects: before } : undefined, after, known.length < pairs.length];
}
