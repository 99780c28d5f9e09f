import { formatPath, formatValue, nearest } from '../../../api';
import { type ExplainedObject } from '../../../expand';
import { UsageError } from '../../command/usage-error';
import { type Dim } from './explained-yaml';
import { originText, sourceOf, type SourceLocator } from './origin-text';

/** Returns the requested objects and fields. Throws a `UsageError` if there are none. */
export function selectFields(
  explained: readonly ExplainedObject[],
  object: string | undefined,
  field: string | undefined,
): readonly ExplainedObject[] {
  const objects = object === undefined ? explained : explained.filter((entry) => matchesObject(entry, object));
  if (objects.length === 0) {
    const known = explained.map(({ object: { kind, metadata } }) => `${kind}/${metadata.name}`);
    throw new UsageError(`object not found: ${String(object)}; generated objects: ${known.join(', ')}`);
  }
  if (field === undefined) return objects;
  const found = objects
    .map(({ object, leaves }) => ({ object, leaves: leaves.filter(({ path }) => isField(formatPath(path), field)) }))
    .filter(({ leaves }) => leaves.length > 0);
  if (found.length > 0) return found;
  const all = new Set(objects.flatMap(({ leaves }) => leaves.map(({ path }) => formatPath(path))));
  const suggestion = nearest(field, [...all]);
  throw new UsageError(`generated field not found: ${field}${suggestion ? `; did you mean ${suggestion}?` : ''}`);
}

function matchesObject({ object: { kind, metadata } }: ExplainedObject, selector: string): boolean {
  const [first, name] = selector.toLowerCase().split('/', 2);
  return name === undefined
    ? first === kind.toLowerCase() || first === metadata.name
    : first === kind.toLowerCase() && name === metadata.name;
}

/** Returns whether a path contains the steps of the selector. */
function isField(path: string, selector: string): boolean {
  const [fullPath, subpath] = [
    `.${path}.`.replaceAll('[', '.['),
    `.${selector.replace(/^\./, '')}.`.replaceAll('[', '.['),
  ];
  return fullPath.includes(subpath.replace('..', '.'));
}

/** Returns one line per field, followed by all its origins, the main one first. */
export function explainedFields({ object, leaves }: ExplainedObject, locator: SourceLocator, dim: Dim): string {
  const lines = leaves.map(({ path, value, origins }) => {
    const head = `${object.kind}/${object.metadata.name} ${formatPath(path)}: ${formatValue(value)}\n`;
    return head + origins.map((origin) => `  ${dim(`← ${originText(origin, locator)}`)}\n`).join('');
  });
  return lines.join('');
}

/** Returns the fields and their origins as JSON. */
export function explainedJson(explained: readonly ExplainedObject[], locator: SourceLocator): string {
  const objects = explained.map(({ object: { apiVersion, kind, metadata }, leaves }) => ({
    apiVersion,
    kind,
    name: metadata.name,
    fields: leaves.map(({ path, value, origins }) => ({
      path,
      value,
      origins: origins.map((origin) => ({
        ...origin,
        source: sourceOf(origin, locator),
        text: originText(origin, locator),
      })),
    })),
  }));
  return `${JSON.stringify({ objects }, null, 1)}\n`;
}
