import { isPlatformKind, safeParseManifest, textAt, type PlatformManifest } from '../../api';
import { resolvePlatform, type PlatformContext } from '../../expand';
import { type InputDocuments } from '../input/input-documents';
import { assumedKeys, usedNote, type PlatformInput } from '../input/manifests-beside';
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

/** Target cluster, and the cluster as it is. */
export interface LiveTarget extends TargetCluster {
  /** With the Projects that are stored. @default - the target cluster */
  readonly stored?: PlatformContext | undefined;
}

/**
 * Returns the Platform of the inputs or the command line, else that of the cluster, else that of the nearest file. With
 * that of the cluster, a Project is that of the inputs, else of the cluster, else of the folder of an input.
 */
export async function liveTarget(
  { inputs, known }: ReadManifests,
  { isPlatformNamed, stage }: LiveTargetOptions,
  connection: ClusterConnection,
): Promise<LiveTarget> {
  const isGiven = inputs.documents.some(
    (document) => document.is === 'platform' && !document.context && document.value['kind'] === 'Platform',
  );
  if (isGiven || isPlatformNamed) return known;
  const projects = inputs.documents.flatMap(({ is, value }) => {
    const { namespace } = (value['metadata'] ?? {}) as { readonly namespace?: unknown };
    return is === 'workload' && typeof namespace === 'string' ? namespace : [];
  });
  const live = await readLiveManifests([...new Set(projects)], connection);
  if (!live) return known;
  const ofStage = (cluster: PlatformContext): PlatformContext =>
    stage === undefined ? cluster : inStage(cluster, stage);
  const given = givenProjects(inputs);
  const beside = known.beside.filter(
    (one) => isProject(one.manifest) && ![...given, ...live].some((other) => isSameProject(one.manifest, other)),
  );
  const target = { ...known, beside, notes: beside.map(usedNote), origin: 'the cluster' };
  const stored = resolvePlatform(live);
  const added = [...given, ...beside.map(({ manifest }) => manifest)];
  const others = live.filter((one) => !given.some((other) => isSameProject(one, other)));
  const cluster = added.length === 0 ? stored : resolvePlatform([...others, ...added]);
  const found = { ...target, cluster: ofStage(cluster), ...(cluster !== stored && { stored: ofStage(stored) }) };
  if (assumedKeys(inputs, cluster).size > 0) return found;
  // What is beside the inputs is not needed.
  const problems = known.problems.filter((problem) => !known.besideWarnings.includes(problem));
  return { ...found, problems, besideWarnings: [] };
}

const isProject = ({ kind }: PlatformManifest): boolean => kind === 'Project';
const isSameProject = (one: PlatformManifest, other: PlatformManifest): boolean =>
  isProject(one) && isProject(other) && one.metadata.name === other.metadata.name;

/** Returns the Projects of the inputs that are to be applied. */
const givenProjects = ({ documents }: InputDocuments): PlatformManifest[] =>
  documents
    .filter((document): document is PlatformInput => document.is === 'platform' && !document.context)
    .map(({ manifest }) => manifest)
    .filter(isProject);

/**
 * Returns the Platform of a cluster, its RuntimeProfile and the Projects of the inputs; undefined if it has no Platform.
 * Only Projects that are needed are read.
 */
async function readLiveManifests(
  projects: readonly string[],
  { client, kube }: ClusterConnection,
): Promise<PlatformManifest[] | undefined> {
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
  return manifests.filter(({ kind }) => isPlatformKind(kind)) as PlatformManifest[];
}
