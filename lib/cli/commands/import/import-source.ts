import { explainProblem, isPlainObject, valueAt, type Problem } from '../../../api';
import { type PlatformContext } from '../../../expand';
import { type ReadCluster } from '../../cluster/cluster-connection';
import { readInputs, withProblemSource } from '../../input/input-documents';
import { resolveTargetCluster } from '../../input/target-cluster';
import { type Io } from '../../io/io';
import { UsageError } from '../../command/usage-error';
import { clusterFrom } from './cluster-from';
import { nativeObject, type NativeObject } from './native-object';

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
    object: nativeObject(object, kind),
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
  (await objects).map((object) => nativeObject(object, kind));

/** Native objects of a file or folder, and problems of those that cannot be read. */
export interface FileObjects {
  readonly objects: readonly NativeObject[];
  readonly problems: readonly Problem[];
}

/** Reads the native objects of a file or folder. */
export async function objectsFromFile(file: string, io: Io): Promise<FileObjects> {
  const inputs = await readInputs([file], io);
  const problems = inputs.problems.filter(({ code }) => code === 'parse-error');
  const objects = inputs.documents.flatMap(({ is, value, read }) => {
    if (is !== 'foreign') return [];
    return itemsIn(value).flatMap((item) => {
      const misnamed = misnamedProblem(item);
      if (misnamed) problems.push(withProblemSource(misnamed, read));
      return misnamed ? [] : nativeObject(item, item.kind);
    });
  });
  return { objects, problems };
}

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

type Item = Readonly<Record<string, unknown>> & { readonly kind: string };

/** Returns the objects in a document: the document itself, or the items of a List. */
function itemsIn(value: Readonly<Record<string, unknown>>): readonly Item[] {
  const items = value['kind'] === 'List' && Array.isArray(value['items']) ? (value['items'] as unknown[]) : [value];
  return items.filter((item): item is Item => isPlainObject(item) && typeof item['kind'] === 'string');
}

/** Returns the problem that the name or namespace of an object is not a text, such as a number without quotes. */
function misnamedProblem(item: Item): Problem | undefined {
  const isMisnamed = (field: string): boolean => typeof (given(item, field) ?? '') !== 'string';
  const field = ['name', 'namespace'].find(isMisnamed);
  return field === undefined
    ? undefined
    : {
        code: 'wrong-type',
        path: ['metadata', field],
        value: given(item, field),
        reason: 'is not a text, so the object is not imported',
        remedy: 'put it in quotes, or correct it',
        object: item.kind,
      };
}

const given = (item: Item, field: string): unknown => valueAt(item, ['metadata', field]);

/** Returns the platform of files: the given one, else the nearest. */
export async function platformFromFiles(platform: string | undefined, io: Io): Promise<PlatformContext> {
  const noInputs = { documents: [], problems: [], workflows: [], files: [], isUnavailable: false };
  const { cluster, problems } = await resolveTargetCluster(noInputs, platform, io);
  if (cluster) return cluster;
  throw new UsageError(`the platform manifests have errors:\n${problems.map(explainProblem).join('\n')}`);
}
