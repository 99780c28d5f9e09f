/**
 * Encodes a value as canonical JSON (RFC 8785): keys sorted by UTF-16 units, no whitespace.
 *
 * Skips undefined members. Throws a `TypeError` for values without a JSON form: NaN, lone surrogates, functions, BigInt.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value === 'string' && value.isWellFormed()) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object') throw new TypeError(`${String(value)} has no JSON form`);
  let members = '';
  // The default order of sort is by UTF-16 units.
  for (const key of Object.keys(value).sort()) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${canonicalJson(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/** Decodes canonical JSON; undefined for any other string. */
export function readCanonicalJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return canonicalJson(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}
