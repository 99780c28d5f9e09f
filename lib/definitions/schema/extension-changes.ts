import { isDeepStrictEqual } from 'node:util';
import { type ReportChange } from './schema-change';
import { keepsUnknownFields, type SchemaNode } from './schema-node';

/** Keywords whose changes are judged. */
export const comparedKeywords: readonly string[] = [
  ...[
    'type',
    'properties',
    'additionalProperties',
    'items',
    'required',
    'nullable',
    'default',
    'enum',
    'format',
    'pattern',
  ],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties', 'allOf', 'anyOf', 'oneOf', 'not'],
  ...['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string'],
  ...['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type', 'x-kubernetes-validations'],
];

/** Reports changes of the `x-kubernetes-` keywords, except for types and rules. */
export function compareExtensions(before: SchemaNode, after: SchemaNode, path: string, report: ReportChange): void {
  compareUnknownFields(before, after, path, report);
  compareEmbedded(before, after, path, report);
  compareLists(before, after, path, report);
  const [from, to] = [before['x-kubernetes-map-type'] ?? 'granular', after['x-kubernetes-map-type'] ?? 'granular'];
  if (from === to) return;
  const reason = `server-side apply merges it as ${to} instead of ${from}: fields of other appliers are ${to === 'atomic' ? 'replaced' : 'kept'}`;
  report({
    path,
    class: 'changes-meaning',
    change: 'map-type-changed',
    reason,
    remedy: 'review who applies this field',
  });
}

function compareUnknownFields(before: SchemaNode, after: SchemaNode, path: string, report: ReportChange): void {
  const [from, to] = [keepsUnknownFields(before), keepsUnknownFields(after)];
  if (from === to) return;
  if (to) {
    const reason = 'unknown fields are stored now, so that misspelled ones are no longer rejected';
    return report({
      path,
      class: 'changes-meaning',
      change: 'unknown-fields-kept',
      reason,
      remedy: 'describe the fields instead',
    });
  }
  report({
    ...{ path, class: 'breaks-objects', change: 'unknown-fields-pruned' },
    reason: 'unknown fields are no longer kept: objects are read without them, and their next write deletes them',
    remedy: `describe all fields that objects have; acknowledge the rest with --allow-pruning ${path}`,
  });
}

function compareEmbedded(before: SchemaNode, after: SchemaNode, path: string, report: ReportChange): void {
  const keyword = 'x-kubernetes-embedded-resource';
  const [from, to] = [before[keyword] === true, after[keyword] === true];
  if (from === to) return;
  if (to) {
    const reason =
      'must be a whole object now: stored values without apiVersion, kind or with invalid metadata are rejected on any write';
    return report({
      path,
      class: 'breaks-writes',
      change: 'embedded-resource-added',
      reason,
      remedy: 'check the stored objects first',
    });
  }
  const isPruned = !keepsUnknownFields(after);
  report({
    ...{
      path,
      class: isPruned ? 'breaks-objects' : 'changes-meaning',
      change: isPruned ? 'unknown-fields-pruned' : 'embedded-resource-removed',
    },
    reason: `is no longer an embedded object: its metadata is not validated${isPruned ? ', and apiVersion, kind and metadata are removed unless described' : ''}`,
    remedy: 'keep the keyword, or describe these fields',
  });
}

function compareLists(before: SchemaNode, after: SchemaNode, path: string, report: ReportChange): void {
  const listType = (node: SchemaNode): string => node['x-kubernetes-list-type'] ?? 'atomic';
  const [from, to] = [listType(before), listType(after)];
  const keysChanged = !isDeepStrictEqual(before['x-kubernetes-list-map-keys'], after['x-kubernetes-list-map-keys']);
  if (from === to && !keysChanged) return;
  if (to === 'atomic') {
    const reason = `the list is ${to} instead of ${from}: duplicates are valid, and server-side apply replaces the whole list`;
    return report({
      path,
      class: 'changes-meaning',
      change: 'list-type-changed',
      reason,
      remedy: 'review who applies this list',
    });
  }
  report({
    ...{ path, class: 'breaks-writes', change: from === to ? 'list-keys-changed' : 'list-type-changed' },
    reason: `items must be unique${to === 'map' ? ` by ${after['x-kubernetes-list-map-keys']?.join(', ')}` : ''}: an update of objects whose stored items are unique may no longer repeat any, and server-side apply merges item by item`,
    remedy: 'check the stored objects for duplicates, and review who applies this list',
  });
}
