/**
 * The one text of a JSON value: RFC 8785, keys in the order of their UTF-16 units, no blanks.
 *
 * Members that are undefined are left out. Throws a `TypeError` for what JSON cannot say: numbers without a value, half
 * characters, functions, big integers.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value === 'string' && value.isWellFormed()) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object') throw new TypeError(`JSON cannot say ${String(value)}`);
  let members = '';
  // Without a comparison of ours, keys are sorted by their UTF-16 units.
  for (const key of Object.keys(value).sort()) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${canonicalJson(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/** The value of a text that is its one text; undefined for every other. */
export function readCanonicalJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return canonicalJson(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}
