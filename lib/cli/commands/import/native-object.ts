import { isPlainObject } from '../../../api';

/** A native object from a file or a cluster. */
export interface NativeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    /** Prefix of the name, which it has if it has no name yet. */
    readonly generateName?: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** Maps of texts, in which an empty text may be written as null. */
const textMaps = new Set(['annotations', 'data', 'labels', 'matchLabels', 'nodeSelector', 'selector', 'stringData']);

/** Returns a value without fields that are null, which Kubernetes reads as absent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      member === null ? [] : [[key, textMaps.has(key) ? member : withoutNulls(member)]],
    ),
  );
}

/**
 * Returns an object without fields that are null, and whose metadata has the declared types: what has another type
 * becomes absent.
 */
export function nativeObject(original: object, kind: string): NativeObject {
  const object = withoutNulls(original) as object;
  const given = 'metadata' in object && isPlainObject(object.metadata) ? object.metadata : {};
  const { name, generateName, namespace, labels, annotations, ...rest } = given;
  const known = [name, generateName].find((text) => typeof text === 'string');
  const isGenerated = typeof name !== 'string' && typeof generateName === 'string';
  return {
    apiVersion: '',
    ...object,
    kind,
    metadata: {
      ...rest,
      name: known ?? '(without a name)',
      ...(isGenerated && { generateName }),
      ...(typeof namespace === 'string' && { namespace }),
      ...(isPlainObject(labels) && { labels: labels as Readonly<Record<string, string>> }),
      ...(isPlainObject(annotations) && { annotations: annotations as Readonly<Record<string, string>> }),
    },
  };
}
