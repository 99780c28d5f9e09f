import { isDeepStrictEqual } from 'node:util';
import { comparedKeywords } from './extension-changes';
import { keepValid, type ReportChange } from './schema-change';
import { childPath, type SchemaNode } from './schema-node';

/** Reports whether null is allowed. */
export function compareNullable(before: SchemaNode, after: SchemaNode, path: string, report: ReportChange): void {
  if ((before.nullable === true) === (after.nullable === true)) return;
  if (after.nullable === true) {
    const reason = 'null becomes a value: clients may receive it, and a default no longer replaces it';
    return report({
      path,
      class: 'breaks-clients',
      change: 'nullable-added',
      reason,
      remedy: 'make sure that clients accept null',
    });
  }
  report({
    ...{ path, class: 'breaks-objects', change: 'nullable-removed' },
    reason:
      'stored nulls are replaced by the default when they are read; without a default, a write that changes them is rejected',
    remedy: 'keep nullable, or remove the nulls from all objects first',
  });
}

/** Reports a default that was added, changed or removed. */
export function compareDefaults(before: SchemaNode, after: SchemaNode, path: string, report: ReportChange): void {
  if (isDeepStrictEqual(before.default, after.default)) return;
  const [from, to] = [before.default, after.default].map((value) =>
    value === undefined ? 'none' : JSON.stringify(value),
  );
  const change =
    before.default === undefined
      ? 'default-added'
      : after.default === undefined
        ? 'default-removed'
        : 'default-changed';
  report({
    ...{ path, class: 'changes-meaning', change },
    reason: `its default changes from ${from} to ${to}: every stored object without a value reads as having the new one at once, and its next write stores it`,
    remedy: 'keep the default, and let the controller choose for objects without a value',
  });
}

/** Reports fields that are required, or no longer. */
export function compareRequired(before: SchemaNode, after: SchemaNode, path: string, report: ReportChange): void {
  const [from, to] = [before.required ?? [], after.required ?? []];
  for (const field of to.filter((one) => !from.includes(one))) {
    const hasDefault = after.properties?.[field]?.default !== undefined;
    report({
      path: childPath(path, field),
      class: hasDefault ? 'safe' : 'breaks-writes',
      change: 'required-added',
      reason: hasDefault
        ? 'is required now, and its default fills it'
        : 'is required now: an object without it is rejected when anything at or below the path around it changes',
      remedy: hasDefault ? 'none' : 'give it a default, or keep it optional',
    });
  }
  for (const field of from.filter((one) => !to.includes(one)))
    report({
      path: childPath(path, field),
      class: 'safe',
      change: 'required-removed',
      reason: 'is optional now: objects may lack it',
      remedy: 'none',
    });
}

const compositions = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

/** Reports changed alternatives, which are not compared. */
export function compareCompositions(before: SchemaNode, after: SchemaNode, path: string, report: ReportChange): void {
  for (const keyword of compositions) {
    const [from, to] = [before[keyword], after[keyword]];
    if (isDeepStrictEqual(from, to)) continue;
    if (to === undefined)
      report({
        path,
        class: 'safe',
        change: `${keyword}-removed`,
        reason: `${keyword} no longer limits values`,
        remedy: 'none',
      });
    else if (from === undefined)
      report({
        path,
        class: 'breaks-writes',
        change: `${keyword}-added`,
        reason: `${keyword} limits values that were valid`,
        remedy: keepValid,
      });
    else
      report({
        ...{
          path,
          class: 'unknown',
          change: `${keyword}-changed`,
          reason: `${keyword} differs, and pinion does not compare such alternatives`,
        },
        remedy: 'try it with the stored objects on a scratch API server: --objects and --scratch-context',
      });
  }
}

const documentation = ['description', 'title', 'example', 'externalDocs', 'id', '$schema'];

/** Reports keywords that pinion does not know, so that they do not count as safe. */
export function compareOtherKeywords(before: SchemaNode, after: SchemaNode, path: string, report: ReportChange): void {
  const [from, to] = [before, after] as unknown as [Record<string, unknown>, Record<string, unknown>];
  for (const keyword of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (documentation.includes(keyword) || comparedKeywords.includes(keyword)) continue;
    if (isDeepStrictEqual(from[keyword], to[keyword])) continue;
    const reason = `${keyword} differs, and pinion does not know what it does`;
    report({
      path,
      class: 'unknown',
      change: 'keyword-changed',
      reason,
      remedy: 'review the change; use --scratch-context to try it',
    });
  }
}
