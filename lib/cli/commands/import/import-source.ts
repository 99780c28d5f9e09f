import { explainProblem } from '../../../api';
import { type PlatformContext } from '../../../expand';
import { type ReadCluster } from '../../cluster/cluster-connection';
import { type InputDocument } from '../../input/input-documents';
import { resolveTargetCluster } from '../../input/target-cluster';
import { type Io } from '../../io/io';
import { UsageError } from '../../command/usage-error';
import { clusterFrom } from './cluster-from';
import { nativeObject, type NativeObject } from './native-object';
import { readNamespace } from './read-namespace';

/** A native workload with what its import reads. */
export interface ImportSource {
  readonly object: NativeObject;
  readonly relatedObjects: readonly NativeObject[];
  /** Objects that may create pods, also those that are not imported. @default - the related objects */
  readonly podOwners?: readonly NativeObject[];
  /** Kinds that could not be read, because access is denied. @default - none */
  readonly denied?: readonly string[];
  readonly cluster: PlatformContext;
  readonly namespace: string;
  readonly origin: string;
}

/** All objects of a folder or namespace. */
export interface ObjectSet {
  readonly objects: readonly NativeObject[];
  /** Objects of other namespaces than the chosen one. @default - none */
  readonly elsewhere?: readonly NativeObject[];
  readonly cluster: PlatformContext;
  /** Where they are, such as `old.yaml`. */
  readonly place: string;
  /** Kinds that could not be read, because access is denied. @default - none */
  readonly denied?: readonly string[];
  /** Returns the source of a workload among the objects. */
  sourceOf(object: NativeObject, relatedObjects: readonly NativeObject[]): ImportSource;
}

/** Options that select the objects and the platform. */
export interface SourceOptions {
  readonly namespace?: string;
  readonly platform?: string;
}

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
  const { objects, denied } = await readNamespace(cluster, namespace);
  return {
    object: nativeObject(object, kind),
    relatedObjects: objects,
    denied,
    cluster: await platformOf(cluster, options, io),
    namespace,
    origin: `${kind} ${namespace}/${name} of the cluster`,
  };
}

/** Reads the workloads of a namespace and what belongs to them. */
export async function objectsOfNamespace(
  cluster: ReadCluster,
  namespace: string,
  options: SourceOptions,
  io: Io,
): Promise<ObjectSet> {
  const platform = await platformOf(cluster, options, io);
  return {
    ...(await readNamespace(cluster, namespace)),
    cluster: platform,
    place: `namespace ${namespace}`,
    sourceOf: (object, relatedObjects) => ({
      object,
      relatedObjects,
      cluster: platform,
      namespace,
      origin: `${object.kind} ${namespace}/${object.metadata.name} of the cluster`,
    }),
  };
}

const platformOf = async (cluster: ReadCluster, { platform }: SourceOptions, io: Io): Promise<PlatformContext> =>
  (platform === undefined ? await clusterFrom(cluster) : undefined) ?? (await platformFromFiles(platform, io));

/** Returns the source of a workload in files. */
export function sourceInFiles(
  object: NativeObject,
  objects: readonly NativeObject[],
  cluster: PlatformContext,
  file: string,
  chosenNamespace: string | undefined,
): ImportSource {
  const title = `${object.kind} ${object.metadata.name}`;
  const namespace = object.metadata.namespace ?? chosenNamespace;
  if (namespace === undefined) throw new UsageError(`${title} in ${file} has no namespace; add -n NAMESPACE`);
  return { object, relatedObjects: objects, cluster, namespace, origin: `${title} in ${file}` };
}

/** Returns whether an object belongs to the chosen namespace; those without one belong to any. */
export const isInNamespace = ({ metadata }: NativeObject, namespace: string | undefined): boolean =>
  namespace === undefined || (metadata.namespace ?? namespace) === namespace;

/** Returns the platform of files: the given one, else that of the inputs, else the nearest; with Projects of the inputs. */
export async function platformFromFiles(
  platform: string | undefined,
  io: Io,
  documents: InputDocument[] = [],
): Promise<PlatformContext> {
  const inputs = { documents, problems: [], unread: [], workflows: [], files: [], isUnavailable: false };
  const { cluster, problems } = await resolveTargetCluster(inputs, platform, io);
  if (cluster) return cluster;
  throw new UsageError(`the platform manifests have errors:\n${problems.map(explainProblem).join('\n')}`);
}
