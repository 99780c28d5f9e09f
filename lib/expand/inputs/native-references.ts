import {
  isPlainObject,
  nearest,
  podTemplatesOf,
  type Container,
  type FieldPath,
  type PodSpec,
  type Problem,
  type Volume,
  type Workload,
} from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { containerPaths } from '../policies/rule-paths';

/** Kinds of native objects that pods refer to by name. */
type ReferencedKind = 'ConfigMap' | 'Secret';

/** Reference of a workload to a native object, and to one of its keys. */
interface NativeReference {
  readonly kind: ReferencedKind;
  readonly name: string;
  /** Field with the name. */
  readonly path: FieldPath;
  readonly key?: { readonly name: string; readonly path: FieldPath };
}

interface OwnedReference extends NativeReference {
  readonly object: string;
  readonly namespace: string;
}

/** How many keys a remedy lists. */
const maxListed = 5;

/** References of workloads to ConfigMaps and Secrets, and the native objects of the inputs. Values are never kept. */
export class NativeReferences {
  /** Keys of the ConfigMaps and Secrets of the inputs, by `Kind namespace/name`. */
  readonly #keys = new Map<string, ReadonlySet<string>>();
  /** Names by kind and namespace, to suggest one. */
  readonly #names = new Map<string, string[]>();
  /** Names of all native objects: other kinds may create an object with their own name. */
  readonly #known = new Set<string>();
  readonly #references: OwnedReference[] = [];

  /** Adds a native object of the inputs; one without a namespace may be in any. */
  addObject(native: KubernetesObject): void {
    const { namespace, name } = (native.metadata as Partial<KubernetesObject['metadata']> | null | undefined) ?? {};
    if (typeof name !== 'string') return;
    const place = `${typeof namespace === 'string' ? namespace : ''}`;
    this.#known.add(`${place}/${name}`);
    if (native.kind !== 'ConfigMap' && native.kind !== 'Secret') return;
    const maps = [native['data'], native['binaryData'], native['stringData']].filter(isPlainObject);
    this.#keys.set(`${native.kind} ${place}/${name}`, new Set(maps.flatMap((map) => Object.keys(map))));
    const names = this.#names.get(`${native.kind} ${place}`);
    if (names) names.push(name);
    else this.#names.set(`${native.kind} ${place}`, [name]);
  }

  /** Adds the references of a workload, given by its name. */
  add(object: string, workload: Workload): void {
    const { namespace } = workload.metadata;
    for (const reference of referencesOf(workload)) this.#references.push({ ...reference, object, namespace });
  }

  /** Warns about keys that an object of the inputs lacks, and about names that are similar to that of one. */
  problems(): readonly Problem[] {
    return this.#references.flatMap((reference) => {
      const { kind, namespace, name, key } = reference;
      const keys = this.#keys.get(`${kind} ${namespace}/${name}`) ?? this.#keys.get(`${kind} /${name}`);
      if (keys) return key === undefined || keys.has(key.name) ? [] : [missingKey(reference, key, [...keys])];
      if ([namespace, ''].some((place) => this.#known.has(`${place}/${name}`))) return [];
      const names = [namespace, ''].flatMap((place) => this.#names.get(`${kind} ${place}`) ?? []);
      const guess = nearest(name, names);
      return guess === undefined ? [] : [missingObject(reference, guess)];
    });
  }
}

function missingKey(
  { kind, name, namespace, object }: OwnedReference,
  key: NonNullable<NativeReference['key']>,
  keys: readonly string[],
): Problem {
  const guess = nearest(key.name, keys);
  const more = keys.length > maxListed ? ' or another one' : '';
  const others =
    keys.length === 0 ? 'add the key' : `use ${keys.slice(0, maxListed).join(', ')}${more}, or add the key`;
  return {
    code: 'unknown-reference',
    path: key.path,
    value: key.name,
    reason: `is not a key of ${kind} ${namespace}/${name} in these inputs, so that the container cannot start`,
    remedy: guess === undefined ? others : `did you mean "${guess}"?`,
    rule: 'native-reference-known',
    severity: 'warning',
    object,
  };
}

const missingObject = ({ kind, name, namespace, path, object }: OwnedReference, guess: string): Problem => ({
  code: 'unknown-reference',
  path,
  value: name,
  reason: `is not a ${kind} of project ${namespace} in these inputs`,
  remedy: `did you mean "${guess}"?`,
  rule: 'native-reference-known',
  severity: 'warning',
  object,
});

/** Lists the references of a workload that are not optional. */
function referencesOf(workload: Workload): readonly NativeReference[] {
  const { secrets } = workload.spec;
  const variables = Object.entries(secrets?.env ?? {}).flatMap(([name, { optional, ...from }]) =>
    referenceTo('Secret', { ...from, optional }, ['spec', 'secrets', 'env', name]),
  );
  const files = Object.entries(secrets?.files ?? {}).flatMap(([path, from]) =>
    referenceTo('Secret', from, ['spec', 'secrets', 'files', path]),
  );
  const ofPods = podTemplatesOf(workload).flatMap(({ template, path }) =>
    referencesOfPod(template.spec, [...path, 'spec']),
  );
  return [...variables, ...files, ...ofPods];
}

function referencesOfPod(pod: Pick<PodSpec, 'containers' | 'initContainers' | 'volumes'>, at: FieldPath) {
  return [
    ...containerPaths(pod, at).flatMap(({ container, path }) => referencesOfContainer(container, path)),
    ...(pod.volumes ?? []).flatMap((volume, index) => referencesOfVolume(volume, [...at, 'volumes', index])),
  ];
}

const referencesOfContainer = ({ env = [], envFrom = [] }: Container, at: FieldPath): NativeReference[] => [
  ...env.flatMap(({ valueFrom }, index) => {
    const path = [...at, 'env', index, 'valueFrom'];
    return [
      ...referenceTo('ConfigMap', valueFrom?.configMapKeyRef, [...path, 'configMapKeyRef']),
      ...referenceTo('Secret', valueFrom?.secretKeyRef, [...path, 'secretKeyRef']),
    ];
  }),
  ...envFrom.flatMap(({ configMapRef, secretRef }, index) => [
    ...referenceTo('ConfigMap', configMapRef, [...at, 'envFrom', index, 'configMapRef']),
    ...referenceTo('Secret', secretRef, [...at, 'envFrom', index, 'secretRef']),
  ]),
];

function referencesOfVolume({ configMap, secret, projected }: Volume, at: FieldPath): NativeReference[] {
  return [
    ...filesOf('ConfigMap', configMap, [...at, 'configMap']),
    ...filesOf('Secret', secret && { ...secret, name: secret.secretName }, [...at, 'secret'], 'secretName'),
    ...(projected?.sources ?? []).flatMap((source, index) => [
      ...filesOf('ConfigMap', source.configMap, [...at, 'projected', 'sources', index, 'configMap']),
      ...filesOf('Secret', source.secret, [...at, 'projected', 'sources', index, 'secret']),
    ]),
  ];
}

/** Source of the files of a volume. */
interface FilesSource {
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
  readonly items?: readonly { readonly key: string }[] | undefined;
}

function filesOf(
  kind: ReferencedKind,
  source: FilesSource | undefined,
  at: FieldPath,
  nameField = 'name',
): NativeReference[] {
  if (source?.name === undefined || source.optional === true) return [];
  const { name, items = [] } = source;
  const path = [...at, nameField];
  if (items.length === 0) return [{ kind, name, path }];
  return items.map(({ key }, index) => ({
    kind,
    name,
    path,
    key: { name: key, path: [...at, 'items', index, 'key'] },
  }));
}

function referenceTo(
  kind: ReferencedKind,
  source:
    | {
        readonly name?: string | undefined;
        readonly key?: string | undefined;
        readonly optional?: boolean | undefined;
      }
    | undefined,
  at: FieldPath,
): NativeReference[] {
  if (source?.name === undefined || source.optional === true) return [];
  const { name, key } = source;
  return [
    { kind, name, path: [...at, 'name'], ...(key !== undefined && { key: { name: key, path: [...at, 'key'] } }) },
  ];
}
