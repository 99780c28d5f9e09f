import { statSync } from 'node:fs';
import { join } from 'node:path';
import { crdOf, type PinionKind } from '../../lib/api';

/** Size of a definition in bytes. */
export interface DefinitionSize {
  /** Object as the API server stores it, without its metadata. */
  readonly json: number;
  /** File in `crds/`. */
  readonly yaml: number;
  /** Parts of the JSON text by schema keyword, such as the rules and patterns. */
  readonly parts: Readonly<Record<(typeof measuredKeywords)[number], number>>;
}

export const measuredKeywords = ['description', 'x-kubernetes-validations', 'pattern', 'required', 'enum'] as const;

/** Returns the path of the committed file of a definition. */
export const definitionPath = (kind: PinionKind): string =>
  join(__dirname, '../../crds', `${crdOf(kind).metadata.name}.yaml`);

/** Measures the definition of a kind. */
export function definitionSize(kind: PinionKind): DefinitionSize {
  const definition = crdOf(kind);
  const parts = Object.fromEntries(
    measuredKeywords.map((keyword) => [keyword, keywordSize(definition, keyword)]),
  ) as DefinitionSize['parts'];
  return {
    json: Buffer.byteLength(JSON.stringify(definition)),
    yaml: statSync(definitionPath(kind)).size,
    parts,
  };
}

/** Returns the size of a keyword of schemas with its values; a field of the same name is a schema and does not count. */
function keywordSize(value: unknown, keyword: string, isSchema = true): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [key, member]) => {
    const below = keywordSize(member, keyword, !(isSchema && key === 'properties'));
    return sum + below + (isSchema && key === keyword ? JSON.stringify({ [key]: member as unknown }).length - 1 : 0);
  }, 0);
}
