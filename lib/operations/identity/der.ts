/** A value in the distinguished encoding rules of ASN.1 (X.690). */
export interface DerValue {
  /** Identifier octet: class, form and number, such as `0x30` for a sequence. */
  readonly tag: number;
  readonly content: Buffer;
}

/** Thrown for bytes that are not valid DER. */
export class DerError extends Error {
  override readonly name = 'DerError' as const;
}

/** Identifier octets in certificate requests. */
export const derTags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  sequence: 0x30,
  set: 0x31,
} as const;

/**
 * Parses a sequence of values. Throws a `DerError` for tag numbers above 30, lengths that are indefinite or not minimal, and
 * truncated values.
 */
export function readDerValues(bytes: Buffer): readonly DerValue[] {
  const values: DerValue[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const { value, end } = readAt(bytes, offset);
    values.push(value);
    offset = end;
  }
  return values;
}

/** Parses bytes that consist of one value with this tag. Throws a `DerError` otherwise. */
export function readDer(bytes: Buffer, tag: number): DerValue {
  const [value, ...more] = readDerValues(bytes);
  if (!value || more.length > 0) throw new DerError('is not a single value');
  return expectTag(value, tag);
}

/** Returns the value if it has this tag. Throws a `DerError` otherwise. */
export function expectTag(value: DerValue | undefined, tag: number): DerValue {
  if (value?.tag !== tag) throw new DerError(`has ${value ? `tag ${value.tag}` : 'no value'} instead of tag ${tag}`);
  return value;
}

function readAt(bytes: Buffer, start: number): { readonly value: DerValue; readonly end: number } {
  const tag = octet(bytes, start);
  if ((tag & 0x1f) === 0x1f) throw new DerError('has a multi-octet tag');
  const first = octet(bytes, start + 1);
  const octets = first < 0x80 ? 0 : first & 0x7f;
  const length = first < 0x80 ? first : longLength(bytes, start + 2, octets);
  const contentStart = start + 2 + octets;
  const end = contentStart + length;
  if (end > bytes.length) throw new DerError('is truncated');
  return { value: { tag, content: bytes.subarray(contentStart, end) }, end };
}

function longLength(bytes: Buffer, offset: number, octets: number): number {
  // Three octets encode 16 MiB, more than any Kubernetes object.
  if (octets === 0 || octets > 3) throw new DerError('has an indefinite or too long length');
  let length = 0;
  for (let index = 0; index < octets; index++) length = length * 256 + octet(bytes, offset + index);
  if (length < 0x80 || length < 256 ** (octets - 1)) throw new DerError('has a length that is not minimal');
  return length;
}

function octet(bytes: Buffer, offset: number): number {
  const value = bytes[offset];
  if (value === undefined) throw new DerError('is truncated');
  return value;
}
