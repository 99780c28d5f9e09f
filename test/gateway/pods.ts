import { cachedObject, type CachedObject } from '../../lib/gateway/cache/cached-object';
import { type CachedResource, selectableFieldsOf } from '../../lib/gateway/cache/cached-resource';
import { type CacheEvent, frameOf } from '../../lib/gateway/cache/watch-event';

/** The resource `pods`, as discovery describes it. */
export const pods: CachedResource = {
  group: '',
  version: 'v1',
  apiVersion: 'v1',
  plural: 'pods',
  kind: 'Pod',
  namespaced: true,
  selectableFields: selectableFieldsOf('', 'pods', true),
};

/** The resource `namespaces`, as discovery describes it. */
export const namespaces: CachedResource = {
  group: '',
  version: 'v1',
  apiVersion: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
  selectableFields: selectableFieldsOf('', 'namespaces', false),
};

/** What distinguishes a pod of a test. */
export interface PodOptions {
  /** @default a */
  readonly namespace?: string;
  /** @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default - not scheduled */
  readonly node?: string;
}

/** Returns a pod as the API server writes it in a watch. */
export function pod(name: string, version: number, { namespace = 'a', labels, node }: PodOptions = {}): CachedObject {
  const metadata = { name, namespace, uid: `uid-of-${name}`, resourceVersion: `${version}`, ...(labels && { labels }) };
  const object = { kind: 'Pod', apiVersion: 'v1', metadata, spec: { ...(node !== undefined && { nodeName: node }) } };
  return cachedObject(Buffer.from(JSON.stringify(object)), pods);
}

/** Returns the line by which the API server reports a change. */
export const lineOf = (type: CacheEvent['type'], { json }: CachedObject): Buffer => frameOf(type, json);
