import { type CachedObject } from './cached-object';
import { type CachedResource } from './cached-resource';
import { jsonTokens } from './json-tokens';

/**
 * Returns an object's JSON as it stands in a list. Items of built-in resources have neither kind nor apiVersion; those of
 * custom resources do. The API server writes the former with `kind` first, the latter with `apiVersion` first.
 */
export function listItem({ json }: CachedObject, resource: CachedResource): readonly Buffer[] {
  const head = headOf(resource);
  if (json.length <= head.length || json.toString('latin1', 0, head.length) !== head) return [json];
  return [openBrace, json.subarray(head.length)];
}

/** Returns an item of a list as it stands in a watch event, where all objects have a kind. */
export function asInEvent(item: Buffer, resource: CachedResource): Buffer {
  const { kind } = JSON.parse(item.toString('utf8')) as { readonly kind?: unknown };
  return kind === undefined ? Buffer.concat([Buffer.from(headOf(resource)), item.subarray(1)]) : item;
}

const headOf = ({ kind, apiVersion }: CachedResource): string => `{"kind":"${kind}","apiVersion":"${apiVersion}",`;

const openBrace = Buffer.from('{');
const versionField = Buffer.from('"resourceVersion":"');

/** Returns an object's JSON with another resource version, as in the event by which an object leaves a selection. */
export function withVersion({ json, version }: CachedObject, next: number): Buffer {
  const sought = `"resourceVersion":"${version}"`;
  const at = versionAt(json);
  if (at === -1 || json.toString('latin1', at, at + sought.length) !== sought) return rewritten(json, next);
  return Buffer.concat([
    json.subarray(0, at),
    Buffer.from(`"resourceVersion":"${next}"`),
    json.subarray(at + sought.length),
  ]);
}

/** Returns where the resource version of the metadata stands; -1 if it is nowhere. */
function versionAt(json: Buffer): number {
  const first = json.indexOf(versionField);
  // Annotations precede it in custom resources, and may have its name.
  return json.indexOf(versionField, first + 1) === -1 ? first : versionOfMetadataAt(json);
}

const isVersionField = (json: Buffer, at: number): boolean =>
  versionField.compare(json, at, at + versionField.length) === 0;

function versionOfMetadataAt(json: Buffer): number {
  let field = '';
  for (const { text, at, depth } of jsonTokens(json)) {
    if (depth === 1) field = text === '{' ? field : text;
    else if (depth === 2 && field === '"metadata"' && isVersionField(json, at)) return at;
  }
  return -1;
}

function rewritten(json: Buffer, next: number): Buffer {
  const object = JSON.parse(json.toString('utf8')) as { readonly metadata: object };
  return Buffer.from(JSON.stringify({ ...object, metadata: { ...object.metadata, resourceVersion: `${next}` } }));
}
