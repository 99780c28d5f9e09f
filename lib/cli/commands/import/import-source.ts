import { explainProblem, type Problem } from '../../../api';
import { type PlatformContext } from '../../../expand';
import { type ReadCluster } from '../../cluster/cluster-connection';
import { readInputs } from '../../input/input-documents';
import { resolveTargetCluster } from '../../input/target-cluster';
import { type Io } from '../../io/io';
import { UsageError } from '../../command/usage-error';
import { clusterFrom } from './cluster-from';
import { type NativeObject } from './native-object';

/** A native workload with what its import reads. */
export interface ImportSource {
  readonly object: NativeObject;
  readonly relatedObjects: readonly NativeObject[];
  readonly cluster: PlatformContext;
  readonly namespace: string;
  readonly origin: string;
}

/** Options that select the objects and the platform. */
export interface SourceOptions {
  readonly namespace?: string;
  readonly platform?: string;
}

/** Kinds of objects that are converted with their workload. */
const convertedKinds = ['Service', 'Ingress', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'ServiceAccount'];
/** Kinds of objects that comments name; a user may lack access to them. */
const namedKinds = [
  'ConfigMap',
  'PersistentVolumeClaim',
  'NetworkPolicy',
  'RoleBinding',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
];

/** Reads a workload and its related objects from a cluster. */
export async function sourceFromCluster(
  cluster: ReadCluster,
  [kind, name]: readonly [string, string],
  options: SourceOptions,
  io: Io,
): Promise<ImportSource> {
  const namespace = options.namespace ?? cluster.namespace;
  const object = await cluster.get(kind, name, namespace);
  if (!object) throw new UsageError(`no ${kind} ${name} in namespace ${namespace}`);
  const lists = await Promise.all([
    ...convertedKinds.map((related) => ofKind(related, cluster.list(related, { namespace }))),
    ...namedKinds.map((related) => ofKind(related, cluster.listIfKnown(related, { namespace }))),
  ]);
  return {
    object: { ...object, kind },
    relatedObjects: lists.flat(),
    cluster:
      (options.platform === undefined ? await clusterFrom(cluster) : undefined) ??
      (await platformFromFiles(options.platform, io)),
    namespace,
    origin: `${kind} ${namespace}/${name} of the cluster`,
  };
}

/** Sets the kind, which items of lists may lack. */
const ofKind = async (kind: string, objects: Promise<readonly object[]>): Promise<readonly NativeObject[]> =>
  (await objects).map((object) => ({ ...object, kind }) as NativeObject);

/** Native objects of a file or folder, and problems of those that cannot be read. */
export interface FileObjects {
  readonly objects: readonly NativeObject[];
  readonly problems: readonly Problem[];
}

/** Reads the native objects of a file or folder. */
export async function objectsFromFile(file: string, io: Io): Promise<FileObjects> {
  const inputs = await readInputs([file], io);
  return {
    objects: inputs.documents.flatMap(({ is, value }) => (is === 'foreign' ? objectsIn(value) : [])),
    problems: inputs.problems.filter(({ code }) => code === 'parse-error'),
  };
}

/** Returns the source of a workload in files. */
export const sourceInFiles = (
  object: NativeObject,
  objects: readonly NativeObject[],
  cluster: PlatformContext,
  file: string,
  namespace: string | undefined,
): ImportSource => ({
  object,
  relatedObjects: objects,
  cluster,
  namespace: object.metadata.namespace ?? namespace ?? 'default',
  origin: `${object.kind} ${object.metadata.name} in ${file}`,
});

/** Returns whether an object belongs to the chosen namespace; those without one belong to any. */
export const isInNamespace = ({ metadata }: NativeObject, namespace: string | undefined): boolean =>
  namespace === undefined || (metadata.namespace ?? namespace) === namespace;

/** Returns the objects in a document: the document itself, or the items of a List. */
function objectsIn(value: Readonly<Record<string, unknown>>): readonly NativeObject[] {
  const items = value['kind'] === 'List' && Array.isArray(value['items']) ? (value['items'] as unknown[]) : [value];
  return items.flatMap((item) => namedObject(item) ?? []);
}

function namedObject(value: unknown): NativeObject | undefined {
  const object = (value ?? {}) as Partial<NativeObject> & { metadata?: { generateName?: unknown } };
  if (typeof object.kind !== 'string') return undefined;
  const name = object.metadata?.name ?? object.metadata?.generateName ?? '(without a name)';
  return { ...object, metadata: { ...object.metadata, name } } as NativeObject;
}

/** Returns the platform of files: the given one, else the nearest. */
export async function platformFromFiles(platform: string | undefined, io: Io): Promise<PlatformContext> {
  const noInputs = { documents: [], problems: [], workflows: [], files: [], isUnavailable: false };
  const { cluster, problems } = await resolveTargetCluster(noInputs, platform, io);
  if (cluster) return cluster;
  throw new UsageError(`the platform manifests have errors:\n${problems.map(explainProblem).join('\n')}`);
}
