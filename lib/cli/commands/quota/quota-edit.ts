import { isDeepStrictEqual } from 'node:util';
import { isError } from '../../../api';
import { type ProposedValue } from '../../../quota';
import { readDocuments, writeYaml, type ReadDocument } from '../../../yaml';

/** Proposed values of the Projects of one file, by project. */
export type ProposedQuotas = ReadonlyMap<string, readonly ProposedValue[]>;

type Value = Readonly<Record<string, unknown>>;

/** Returns whether to write a value to the file; defaults of the Platform are omitted. */
const isWritten = ({ basis }: ProposedValue): boolean => basis !== 'default';

/** Returns a Project with the proposed quota; its other fields are unchanged. */
export function withQuota(value: Value, values: readonly ProposedValue[]): Value {
  const { quota: _, ...spec } = (value['spec'] ?? {}) as Value;
  const quota = Object.fromEntries(values.filter(isWritten).map((entry) => [entry.resource, entry.value]));
  return { ...value, spec: { ...spec, ...(Object.keys(quota).length > 0 && { quota }) } };
}

/** Returns a Project as a new document, each value followed by its reason. */
export function proposedDocument(value: Value, values: readonly ProposedValue[]): string {
  const { spec, ...rest } = withQuota(value, []);
  const text = writeYaml({ ...rest, spec });
  return editedText(text, 'proposal', new Map([[nameOf(value), values]])) ?? writeYaml(withQuota(value, values));
}

/**
 * Returns the text of a file with the quotas of its Projects replaced; everything else, comments included, is unchanged.
 *
 * Returns undefined if the file cannot be edited this way, because of a multi-line flow mapping or anchors.
 * The result is parsed again, and returned only if nothing except the quotas differs.
 */
export function editedText(text: string, file: string, proposed: ProposedQuotas): string | undefined {
  const { documents } = readDocuments(text, file);
  const lines = text.split('\n');
  const targets = documents
    .filter((document) => hasProposal(document, proposed))
    .map((document) => ({ document, line: document.locate(['spec']).line }))
    .sort((a, b) => b.line - a.line);
  for (const { document } of targets) {
    const values = proposed.get(nameOf(document.value as Value)) ?? [];
    if (!editDocument(lines, document, values)) return undefined;
  }
  const edited = lines.join('\n');
  const reparsed = readDocuments(edited, file);
  const isValid =
    !reparsed.problems.some(isError) &&
    reparsed.documents.length === documents.length &&
    documents.every((document, index) => {
      const value = document.value as Value;
      const values = hasProposal(document, proposed) ? proposed.get(nameOf(value)) : undefined;
      return isDeepStrictEqual(reparsed.documents[index]?.value, values ? withQuota(value, values) : value);
    });
  return isValid ? edited : undefined;
}

const nameOf = (value: Value): string => String((value['metadata'] as Value | undefined)?.['name']);
const hasProposal = ({ value }: ReadDocument, proposed: ProposedQuotas): boolean =>
  (value as Value)['kind'] === 'Project' && proposed.has(nameOf(value as Value));

const indentOf = (line: string): number => line.length - line.trimStart().length;
const isText = (line: string | undefined): boolean => line !== undefined && !/^\s*(#.*)?$/.test(line);

function editDocument(lines: string[], document: ReadDocument, values: readonly ProposedValue[]): boolean {
  const spec = ((document.value as Value)['spec'] ?? {}) as Value;
  const specIndex = document.locate(['spec']).line - 1;
  if (!/^\s*spec:\s*(#.*)?$/.test(lines[specIndex] ?? '')) return false;
  const child = lines.findIndex((line, index) => index > specIndex && isText(line));
  const indent = indentOf(lines[child] ?? '');
  if (indent <= indentOf(lines[specIndex] ?? '')) return false;
  if (spec['quota'] === undefined) {
    lines.splice(endOf(lines, specIndex), 0, ...block(values, indent));
    return true;
  }
  const quotaIndex = document.locate(['spec', 'quota']).line - 1;
  if (!/^\s*quota:\s*(\{[^{}#]*\})?\s*(#.*)?$/.test(lines[quotaIndex] ?? '')) return false;
  lines.splice(quotaIndex, endOf(lines, quotaIndex) - quotaIndex, ...block(values, indent));
  return true;
}

/** Returns the index after the last line of the mapping that starts at a line. */
function endOf(lines: readonly string[], start: number): number {
  const indent = indentOf(lines[start] ?? '');
  let end = start + 1;
  for (let index = start + 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (!isText(line)) continue;
    if (indentOf(line) <= indent) break;
    end = index + 1;
  }
  return end;
}

function block(values: readonly ProposedValue[], indent: number): string[] {
  const written = values.filter(isWritten);
  if (written.length === 0) return [];
  const entries = written.map(
    ({ resource, value, reason }) => `${' '.repeat(indent + 2)}${resource}: '${value}' # ${reason}`,
  );
  return [`${' '.repeat(indent)}quota:`, ...entries];
}
