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
  const objects = object === undefined ? explained : explained.filter((one) => isCalled(one, object));
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
  const guess = nearest(field, [...all]);
  throw new UsageError(`generated field not found: ${field}${guess ? `; did you mean ${guess}?` : ''}`);
}

function isCalled({ object: { kind, metadata } }: ExplainedObject, wanted: string): boolean {
  const [first, name] = wanted.toLowerCase().split('/', 2);
  return name === undefined
    ? first === kind.toLowerCase() || first === metadata.name
    : first === kind.toLowerCase() && name === metadata.name;
}

/** Returns whether the wanted path is the whole path, a prefix of it, or contained in it. */
function isField(path: string, wanted: string): boolean {
  const [inside, sought] = [`.${path}.`.replaceAll('[', '.['), `.${wanted.replace(/^\./, '')}.`.replaceAll('[', '.[')];
  return inside.includes(sought.replace('..', '.'));
}

/** Returns one line per field, and below it all its origins, the main one first. */
export function explainedFields({ object, leaves }: ExplainedObject, places: SourceLocator, dim: Dim): string {
  const lines = leaves.map(({ path, value, origins }) => {
    const head = `${object.kind}/${object.metadata.name} ${formatPath(path)}: ${formatValue(value)}\n`;
    return head + origins.map((origin) => `  ${dim(`← ${originText(origin, places)}`)}\n`).join('');
  });
  return lines.join('');
}

/** Returns JSON for programs. */
export function explainedJson(explained: readonly ExplainedObject[], places: SourceLocator): string {
  const objects = explained.map(({ object: { apiVersion, kind, metadata }, leaves }) => ({
    apiVersion,
    kind,
    name: metadata.name,
    fields: leaves.map(({ path, value, origins }) => ({
      path,
      value,
      origins: origins.map((origin) => ({
        ...origin,
        source: sourceOf(origin, places),
        text: originText(origin, places),
      })),
    })),
  }));
  return `${JSON.stringify({ objects }, null, 1)}\n`;
}
