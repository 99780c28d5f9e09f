import { type CachedResource } from './cached-resource';
import { type Labels } from '../selectors/label-selector';
import { type SelectableFields } from '../selectors/field-selector';

/** Object of the API server: its JSON as it came, and what reads select by. */
export interface CachedObject {
  /** `namespace/name`, or only the name; its order is that of the API server's lists. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Resource version. */
  readonly version: number;
  readonly labels: Labels;
  readonly fields: SelectableFields;
  /** JSON as it stands in a watch event. */
  readonly json: Buffer;
}

interface ParsedObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion: string;
    readonly labels?: Labels | null;
  };
}

const noLabels: Labels = Object.freeze({});

/** Reads an object from its JSON. Throws if it is not an object of the API. */
export function cachedObject(json: Buffer, resource: CachedResource): CachedObject {
  const parsed = JSON.parse(json.toString('utf8')) as ParsedObject;
  const { name, namespace = '', uid = '', resourceVersion, labels } = parsed.metadata;
  return {
    key: namespace === '' ? name : `${namespace}/${name}`,
    namespace,
    name,
    uid,
    version: revisionOf(resourceVersion),
    labels: labels ?? noLabels,
    fields: fieldsOf(parsed, resource.selectableFields),
    json,
  };
}

/** Parses a resource version, a revision of etcd, which all API servers return today. Throws for any other text. */
export function revisionOf(text: string): number {
  const version = Number(text);
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(version))
    throw new Error(`resource version "${text}" is not a revision`);
  return version;
}

function fieldsOf(object: object, paths: readonly string[]): SelectableFields {
  const fields: Record<string, string> = {};
  for (const path of paths) {
    const value = path
      .split('.')
      .reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key], object);
    if (typeof value === 'string') fields[path] = value;
  }
  return fields;
}
