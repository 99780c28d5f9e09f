import { fitsBlock, writeInline } from './plain-scalar';

/** Maximum nesting, deeper than any document that the reader accepts; detects cycles. */
const maxDepth = 500;

const breaks: string[] = ['\n'];
/** Returns a line break and `indent` spaces. */
function breakTo(indent: number): string {
  for (let next = breaks.length; next <= indent; next++) breaks.push(`\n${' '.repeat(next)}`);
  return breaks[indent] as string;
}

function throwUnsupported(value: unknown): never {
  const type = typeof value === 'object' && value ? (value.constructor?.name ?? 'object') : `${typeof value}`;
  throw new TypeError(`cannot write ${type} ${String(value)} as YAML: only plain objects, arrays and JSON scalars`);
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throwUnsupported(value);
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0';
  const text = String(value);
  // YAML 1.1 readers require a point in a number with an exponent.
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text;
}

function writeString(text: string, indent: number): string {
  if (!text.includes('\n') || !fitsBlock(text)) return ` ${writeInline(text)}`;
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  const head = body === text ? ' |-' : body.endsWith('\n') ? ' |+' : ' |';
  const line = breakTo(indent);
  let out = head;
  for (const part of body.split('\n')) out += part === '' ? '\n' : line + part;
  return out;
}

/** Writes a scalar with the preceding space. */
function writeScalar(value: unknown, indent: number): string {
  switch (typeof value) {
    case 'string':
      return writeString(value, indent);
    case 'number':
      return ` ${writeNumber(value)}`;
    case 'boolean':
      return value ? ' true' : ' false';
    default:
      return value === null ? ' null' : throwUnsupported(value);
  }
}

const keys = new Map<string, string>();
function writeKey(key: string, indent: number): string {
  let text = keys.get(key);
  if (text !== undefined) return text;
  text = `${writeInline(key)}:`;
  // Readers search for the colon of a simple key within 1,024 characters only.
  if (text.length > 1000) return `? ${text.slice(0, -1)}${breakTo(indent)}:`;
  if (keys.size >= 10_000) keys.clear();
  keys.set(key, text);
  return text;
}

/** Returns whether an object is deeply frozen. */
function isDeepFrozen(value: object): boolean {
  if (!Object.isFrozen(value)) return false;
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null && !isDeepFrozen(member as object)) return false;
  }
  return true;
}

/** State of objects that cannot be extended; `once`: encountered once, and deeply frozen. */
const rendered = new WeakMap<object, 'changing' | 'once' | (string | undefined)[]>();

/**
 * Whether a frozen object is being rendered for the first time: caching its parts too would cost more than it saves.
 */
let inFrozen = false;

function writeFrozen(value: object, indent: number, inline: boolean): string {
  let known = rendered.get(value);
  if (known === undefined) {
    known = isDeepFrozen(value) ? 'once' : 'changing';
    rendered.set(value, known);
    inFrozen = known === 'once';
    try {
      return writeFresh(value, indent, inline);
    } finally {
      inFrozen = false;
    }
  }
  if (known === 'changing') return writeFresh(value, indent, inline);
  if (known === 'once') rendered.set(value, (known = []));
  const slot = indent * 2 + (inline ? 1 : 0);
  let text = known[slot];
  if (text === undefined) {
    text = writeFresh(value, indent, inline);
    // Reading a character flattens the string once, instead of on each use.
    text.charCodeAt(0);
    known[slot] = text;
  }
  return text;
}

/**
 * Writes a collection; `inline` if its first entry continues a line that ends in a dash. Returns an empty text for an
 * empty collection.
 */
function writeCollection(value: object, indent: number, inline: boolean): string {
  if (inFrozen || Object.isExtensible(value)) return writeFresh(value, indent, inline);
  return writeFrozen(value, indent, inline);
}

function writeFresh(value: object, indent: number, inline: boolean): string {
  if (indent > maxDepth * 2) throw new TypeError(`cannot write YAML nested deeper than ${maxDepth}: is it a cycle?`);
  if (Array.isArray(value)) return writeList(value, indent, inline);
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of other realms (a worker's message, a test's sandbox) have another Object.prototype.
  if (prototype !== Object.prototype && prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throwUnsupported(value);
  return writeMapping(value as Record<string, unknown>, indent, inline);
}

function writeMapping(value: Record<string, unknown>, indent: number, inline: boolean): string {
  const line = breakTo(indent);
  let lead = inline ? ' ' : line;
  let out = '';
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    out += lead + writeKey(key, indent);
    lead = line;
    if (typeof member !== 'object' || member === null) out += writeScalar(member, indent + 2);
    // A list has the indentation of its key, as kubectl prints it.
    else if (Array.isArray(member)) out += writeCollection(member, indent, false) || ' []';
    else out += writeCollection(member, indent + 2, false) || ' {}';
  }
  return out;
}

function writeList(value: readonly unknown[], indent: number, inline: boolean): string {
  const line = `${breakTo(indent)}-`;
  let lead = inline ? ' -' : line;
  let out = '';
  for (const item of value) {
    out += lead;
    lead = line;
    if (typeof item !== 'object' || item === null) out += writeScalar(item, indent + 2);
    else out += writeCollection(item, indent + 2, true) || (Array.isArray(item) ? ' []' : ' {}');
  }
  return out;
}

/**
 * Writes one document as block-style YAML that YAML 1.1 and 1.2 readers read back equal, with a final line break.
 *
 * Members that are `undefined` are skipped, and keys keep their order. Deeply frozen values in objects that are not
 * frozen are rendered once per indentation and reused. Throws a TypeError for anything but plain objects, arrays,
 * strings, finite numbers, booleans and null, and for more than 500 levels.
 */
export function writeYaml(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${writeScalar(value, 2).slice(1)}\n`;
  const text = writeFresh(value, 0, false);
  return text === '' ? (Array.isArray(value) ? '[]\n' : '{}\n') : `${text.slice(1)}\n`;
}

/** Minimum length in characters of a chunk. */
const minChunkLength = 65_536;

/** Writes documents separated by `---`, in chunks of at least 64 Ki characters, each of whole documents. */
export function* writeDocuments(objects: Iterable<unknown>): Generator<string, void, undefined> {
  let chunk = '';
  let lead = '';
  for (const object of objects) {
    chunk += lead + writeYaml(object);
    lead = '---\n';
    if (chunk.length < minChunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
