import { load, YAMLException } from 'js-yaml';
import { type FieldPath, isError, type Problem, type ProblemCode, type Source } from '../api';
import { decodeText, maxBytes } from './decode-text';
import { type DocumentSchema, makeDocumentSchema } from './document-schema';
import { makeLocator } from './locate';
import { type AliasBudget, makeAliasBudget, maxDepth, settleDocument } from './settle-document';
import { type Chunk, splitJson, splitStream } from './split-stream';

/** Maximum documents of one input. */
const maxDocuments = 200_000;

/** Document: plain JSON values, and the positions of its fields in the file. */
export interface ReadDocument {
  readonly value: unknown;
  /**
   * 0-based index of the document in its file, without empty ones; the items of a list have the index of their list.
   */
  readonly index: number;
  /**
   * Locates a field: its key, or the start of a list item; for a missing field, its nearest existing ancestor. Parses
   * the document again on the first call.
   */
  locate(path: FieldPath): Source;
}

/** Contents of a file; documents with errors are excluded. */
export interface ReadResult {
  readonly documents: ReadDocument[];
  readonly problems: Problem[];
}

/** Creates a function from a chunk's offsets to lines and columns of its file. */
function makeSourceOf({ text, line, column }: Chunk, file: string): (offset: number) => Source {
  let starts: number[] | undefined;
  return (offset) => {
    if (!starts) {
      starts = [0];
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    }
    let low = 0;
    for (let high = starts.length; high - low > 1;) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    const inLine = offset - (starts[low] as number) + 1;
    return { file, line: line + low + 1, column: low === 0 ? column + inLine : inLine };
  };
}

const syntaxRemedies: readonly (readonly [pattern: RegExp, code: ProblemCode, reason: string, remedy: string])[] = [
  [/^duplicated mapping key/, 'duplicate', 'the key occurs twice in one mapping', 'keep one of the two'],
  [/maxDepth/, 'parse-error', `it is nested deeper than ${maxDepth} levels`, 'nest less deeply'],
  [/maxTotalMergeKeys|abnormal merge/, 'parse-error', 'merge keys copy too many keys', 'write the mapping out'],
  [/^cannot merge/, 'wrong-type', '"<<" merges mappings only', 'quote the key, or use an alias of a mapping'],
  [/^tab characters/, 'parse-error', 'the indentation contains a tab', 'indent with spaces'],
  [/^unidentified alias/, 'parse-error', '', 'define the anchor before it, or quote the text'],
  [
    /^end of the stream or/,
    'parse-error',
    'there is text after the end of the document',
    'remove it or put --- before it',
  ],
  [/^unexpected end of the stream/, 'parse-error', '', 'close what was opened'],
];

/** A line or a value that begins with an action of Helm, such as `{{- include "labels" . }}`; texts of rules may contain others. */
const templateAction =
  /^[^\S\n]*(?:-[^\S\n]+)?(?:[\w./-]+:[^\S\n]+)?\{\{-?\s*(?:\/\*|[.$]|(?:if|with|range|include|template|define|end|else|toYaml|tpl)\b)/m;

function describeSyntax(error: unknown, text: string, sourceOf: (offset: number) => Source): Problem {
  if (!(error instanceof YAMLException)) throw error;
  const known = syntaxRemedies.find(([pattern]) => pattern.test(error.reason));
  const [, code, knownReason, remedy] = known ?? [undefined, 'parse-error' as const, '', 'correct the YAML here'];
  const first = code === 'duplicate' ? firstOfKey(text, error.mark.position) : undefined;
  const key =
    /^(?:"[^"\n]*"|'[^'\n]*'|[^\s:,{}]+)/.exec(text.slice(error.mark.position, error.mark.position + 256))?.[0] ?? '';
  const found = (knownReason || error.reason).replace(/^the key occurs/, () =>
    key === '' ? 'the key occurs' : `the key ${key} occurs`,
  );
  const reason = first === undefined ? found : `${found}, first in line ${sourceOf(first).line}`;
  const isTemplate = templateAction.test(text);
  const { position } = error.mark;
  const at = error.reason.startsWith('unidentified alias') ? text.lastIndexOf('*', position) : position;
  return {
    code,
    path: [],
    reason: isTemplate ? `it is a template of a Helm chart, not YAML: ${reason}` : reason,
    remedy: isTemplate ? 'pass what helm template prints for the chart, instead of its folder' : remedy,
    source: sourceOf(at),
  };
}

/** Returns where a key of a block mapping occurs before, by its indentation; undefined in a flow mapping. */
function firstOfKey(text: string, position: number): number | undefined {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  const column = position - start;
  const key = /^[^\s:]+(?=:(\s|$))/.exec(text.slice(position))?.[0];
  if (key === undefined || /[^ ]/.test(text.slice(start, position))) return undefined;
  for (let end = start - 1; end >= 0;) {
    const lineStart = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(lineStart, end);
    // The first key of a list entry follows its dash.
    if (line.slice(column).startsWith(`${key}:`) && /^[ -]*$/.test(line.slice(0, column))) return lineStart + column;
    if (/[^ ]/.test(line.slice(0, column))) return undefined;
    end = lineStart - 1;
  }
  return undefined;
}

const forbiddenCharacter =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufeff\ufffe\uffff]|\p{Surrogate}/u;

function describeForbiddenCharacter(text: string, at: number, source: Source): Problem {
  const name = `U+${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}`;
  const reason = `the character ${name} is not allowed in YAML`;
  return { code: 'parse-error', path: [], reason, remedy: 'remove it, or escape it in double quotes', source };
}

/** Reads the chunks of one file in sequence. */
class StreamReader {
  readonly documents: ReadDocument[] = [];
  readonly problems: Problem[] = [];
  private index = 0;
  private readonly schema: DocumentSchema = makeDocumentSchema();
  private readonly budget: AliasBudget = makeAliasBudget();

  constructor(private readonly file: string) {}

  readChunk(chunk: Chunk, isWhole: boolean): void {
    const { text } = chunk;
    const sourceOf = makeSourceOf(chunk, this.file);
    const { schema } = this.schema;
    const bad = forbiddenCharacter.exec(text);
    if (bad) {
      this.problems.push(describeForbiddenCharacter(text, bad.index, sourceOf(bad.index)));
      return;
    }
    let parsed: unknown;
    this.schema.hasPlaceholders = false;
    try {
      parsed = load(text, { schema });
    } catch (error) {
      const parts = isWhole && /^\s*\{/.test(text) ? splitJson(chunk) : [];
      // A sequence of JSON objects; text after them is not a document.
      if (parts[1]?.text.startsWith('{')) for (const part of parts) this.readChunk(part, false);
      else this.problems.push(describeSyntax(error, text, sourceOf));
      return;
    }
    const findOffset = makeLocator(text, schema);
    const locate = (path: FieldPath): Source => sourceOf(findOffset(path));
    // Only anchors create shared objects, and only escapes create lone surrogates.
    if (this.schema.hasPlaceholders || text.includes('&') || /\\[uU]/.test(text)) {
      const settled = settleDocument(parsed, text.length, this.budget, locate);
      this.problems.push(...settled.problems);
      if (settled.problems.some(isError)) return;
      parsed = settled.value;
    }
    if (parsed === undefined || parsed === null) return;
    this.addDocument(parsed, [], locate);
    this.index++;
  }

  private addDocument(value: unknown, base: FieldPath, locate: (path: FieldPath) => Source): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const [reason, remedy] = ['a document must be a mapping', 'write apiVersion, kind and metadata as keys'];
      this.problems.push({ code: 'wrong-type', path: base, value, reason, remedy, source: locate(base) });
      return;
    }
    const { kind, items } = value as { kind?: unknown; items?: unknown };
    if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
      items.forEach((item: unknown, at) => this.addDocument(item, [...base, 'items', at], locate));
      return;
    }
    const locateInItem = base.length === 0 ? locate : (path: FieldPath): Source => locate([...base, ...path]);
    this.documents.push({ value, index: this.index, locate: locateInItem });
  }
}

function rejectFile(file: string, reason: string, remedy: string, line = 1, column = 1): ReadResult {
  const problem: Problem = { code: 'parse-error', path: [], reason, remedy, source: { file, line, column } };
  return { documents: [], problems: [problem] };
}

function rejectBytes(bytes: Uint8Array, badByte: number, file: string): ReadResult {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return rejectFile(file, 'the file is UTF-16', 'save it as UTF-8');
  }
  const before = new TextDecoder().decode(bytes.subarray(0, badByte)).split('\n');
  const column = (before[before.length - 1] as string).length + 1;
  return rejectFile(file, `byte ${badByte} is not UTF-8`, 'save the file as UTF-8', before.length, column);
}

/**
 * Reads the documents of a YAML or JSON file like kubectl; empty documents are skipped, and lists are split into their
 * items.
 *
 * An unreadable document results in a problem with its position and does not affect others. Rejected: more than 16 MiB
 * or 200,000 documents, nesting beyond 100 levels, aliases that add more than a million nodes, duplicate keys, tags
 * other than those of standard scalars, and numbers that would lose digits. Unquoted `yes`, `0777` or `1_000` are read
 * like kubectl, with a warning if that may be surprising; keys that are not strings become strings like in kubectl's
 * conversion to JSON. An explicit key takes precedence over one merged by `<<`, as in the YAML specification, even if
 * it is written first (where kubectl uses the merged value). Never throws because of its input.
 */
export function readDocuments(bytes: Uint8Array | string, file: string): ReadResult {
  if ((typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length) > maxBytes) {
    return rejectFile(file, `it is larger than ${maxBytes} bytes`, 'split the file');
  }
  let text: string;
  if (typeof bytes === 'string') text = bytes.startsWith('\ufeff') ? bytes.slice(1) : bytes;
  else {
    const decoded = decodeText(bytes);
    if ('badByte' in decoded) return rejectBytes(bytes, decoded.badByte, file);
    text = decoded.text;
  }
  const chunks = splitStream(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);
  const excess = chunks[maxDocuments];
  if (excess)
    return rejectFile(file, `it contains more than ${maxDocuments} documents`, 'split the file', excess.line + 1);
  const reader = new StreamReader(file);
  for (const chunk of chunks) reader.readChunk(chunk, true);
  return { documents: reader.documents, problems: reader.problems };
}
