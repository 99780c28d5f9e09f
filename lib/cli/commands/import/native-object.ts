import { isPlainObject } from '../../../api';

/** A native object from a file or a cluster. */
export interface NativeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** Returns an object whose metadata has the declared types: what is null or has another type becomes absent. */
export function nativeObject(object: object, kind: string): NativeObject {
  const given = 'metadata' in object && isPlainObject(object.metadata) ? object.metadata : {};
  const { name, generateName, namespace, labels, annotations, ...rest } = given;
  const known = [name, generateName].find((text) => typeof text === 'string');
  return {
    apiVersion: '',
    ...object,
    kind,
    metadata: {
      ...rest,
      name: known ?? '(without a name)',
      ...(typeof namespace === 'string' && { namespace }),
      ...(isPlainObject(labels) && { labels: labels as Readonly<Record<string, string>> }),
      ...(isPlainObject(annotations) && { annotations: annotations as Readonly<Record<string, string>> }),
    },
  };
}
