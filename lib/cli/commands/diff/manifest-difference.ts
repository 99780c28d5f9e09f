import { isDeepStrictEqual } from 'node:util';
import { deploymentKeys, type Metadata } from '../../../api';
import {
  fieldDifferences,
  podChanges,
  type ExpansionSource,
  type FieldDifference,
  type KubernetesObject,
  type PodChange,
} from '../../../expand';
import { hasName, shownIdentity } from '../../cluster/shown-identity';

/** A manifest with its objects, on one side of a comparison. */
export interface ComparedManifest {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  /** What its author decides: labels, annotations and spec, or the whole native object. */
  readonly content: Readonly<Record<string, unknown>>;
  readonly objects: readonly KubernetesObject[];
  /** @default - causes are not traced */
  readonly source?: ExpansionSource;
}

/** Returns what the author of a manifest decides, without what deployments and kubectl add. */
export const manifestContent = ({ metadata, spec }: { readonly metadata: Metadata; readonly spec?: unknown }) => ({
  metadata: { labels: ownEntries(metadata.labels), annotations: ownEntries(metadata.annotations) },
  spec,
});

function ownEntries(entries: Readonly<Record<string, string>> = {}): object | undefined {
  const own = Object.entries(entries).filter(
    ([key]) => !deploymentKeys.includes(key) && !key.startsWith('kubectl.kubernetes.io/'),
  );
  return own.length > 0 ? Object.fromEntries(own) : undefined;
}

/** Change of a manifest or of one of its objects. */
export type ChangeType = 'created' | 'changed' | 'removed';

/** Difference between two versions of an object that a manifest creates. */
export interface ObjectDifference {
  readonly kind: string;
  readonly name: string;
  readonly change: ChangeType;
  readonly fields: readonly FieldDifference[];
}

/** Difference between two versions of a manifest. */
export interface ManifestDifference {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly change: ChangeType;
  /** Fields of the manifest, with defaults. */
  readonly fields: readonly FieldDifference[];
  /** Objects that differ. */
  readonly objects: readonly ObjectDifference[];
  /** What happens to the pods of objects; without objects whose pods stay as they are. */
  readonly pods: readonly PodChange[];
}

/** Returns the difference between two versions of a manifest, one of which may not exist; undefined if there is none. */
export function manifestDifference(
  before: ComparedManifest | undefined,
  after: ComparedManifest | undefined,
): ManifestDifference | undefined {
  const { kind, namespace, name } = (after ?? before) as ComparedManifest;
  const head = { kind, namespace, name };
  const fields = before && after ? fieldDifferences(before.content, after.content, []) : [];
  const [earlier, later] = [before?.objects ?? [], after?.objects ?? []];
  if (before && after && fields.length === 0 && isDeepStrictEqual(earlier, later)) return undefined;
  const objects = objectDifferences(earlier, later);
  if (before && after && fields.length + objects.length === 0) return undefined;
  // The pods of an object without a name, or with a generated one, are not known.
  const pods = podChanges(
    { objects: earlier.filter(hasName), source: before?.source },
    { objects: later.filter(hasName), source: after?.source },
  );
  return {
    ...head,
    change: before ? (after ? 'changed' : 'removed') : 'created',
    fields,
    objects,
    pods: pods.filter(({ effect }) => effect !== 'unchanged'),
  };
}

/** Returns whether the pods of a manifest restart: those of new and deleted manifests do not count. */
export const isRestarting = ({ change, pods }: ManifestDifference): boolean =>
  change === 'changed' && pods.some(({ restarts }) => restarts);

function objectDifferences(
  before: readonly KubernetesObject[],
  after: readonly KubernetesObject[],
): ObjectDifference[] {
  const earlier = new Map(before.map((object) => [keyOf(object), object]));
  const later = new Map(after.map((object) => [keyOf(object), object]));
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((key): ObjectDifference[] => {
    const [one, other] = [earlier.get(key), later.get(key)];
    const object = (other ?? one) as KubernetesObject;
    const head = { kind: object.kind, name: shownIdentity(object).name };
    if (!one) return [{ ...head, change: 'created', fields: [] }];
    if (!other) return [{ ...head, change: 'removed', fields: [] }];
    const fields = fieldDifferences(one, other, []);
    return fields.length === 0 ? [] : [{ ...head, change: 'changed', fields }];
  });
}

function keyOf(object: KubernetesObject): string {
  const { namespace = '', name } = shownIdentity(object);
  return `${object.kind}/${namespace}/${name}`;
}
