/** One value in the distinguished encoding rules of ASN.1 (X.690). */
export interface DerValue {
  /** The identifier octet: class, form and number together, `0x30` for a sequence. */
  readonly tag: number;
  readonly content: Buffer;
}

/** Says that bytes are not in the one form that DER allows. */
export class DerError extends Error {
  override readonly name = 'DerError' as const;
}

/** Identifier octets that certificate requests are made of. */
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
 * Reads all values that stand one behind the other. Throws a `DerError` for numbers of tags beyond 30, lengths that are
 * indefinite or longer than they need be, and bytes that are missing.
 */
export function readDerValues(bytes: Buffer): readonly DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length;) {
    const { value, end } = readAt(bytes, at);
    values.push(value);
    at = end;
  }
  return values;
}

/** Reads the one value that bytes consist of, which must have this tag. Throws a `DerError` for anything else. */
export function readDer(bytes: Buffer, tag: number): DerValue {
  const [value, ...more] = readDerValues(bytes);
  if (!value || more.length > 0) throw new DerError('is not one value');
  return expectTag(value, tag);
}

/** The value, where it is there and has this tag. Throws a `DerError` otherwise. */
export function expectTag(value: DerValue | undefined, tag: number): DerValue {
  if (value?.tag !== tag)
    throw new DerError(`has ${value ? `a value of tag ${value.tag}` : 'nothing'} where ${tag} is`);
  return value;
}

function readAt(bytes: Buffer, start: number): { readonly value: DerValue; readonly end: number } {
  const tag = octet(bytes, start);
  if ((tag & 0x1f) === 0x1f) throw new DerError('has a tag of several octets');
  const first = octet(bytes, start + 1);
  const octets = first < 0x80 ? 0 : first & 0x7f;
  const length = first < 0x80 ? first : longLength(bytes, start + 2, octets);
  const begin = start + 2 + octets;
  const end = begin + length;
  if (end > bytes.length) throw new DerError('ends within a value');
  return { value: { tag, content: bytes.subarray(begin, end) }, end };
}

function longLength(bytes: Buffer, at: number, octets: number): number {
  // Three octets count 16 MiB, more than any object of Kubernetes holds.
  if (octets === 0 || octets > 3) throw new DerError('has a length of no definite size');
  let length = 0;
  for (let place = 0; place < octets; place++) length = length * 256 + octet(bytes, at + place);
  if (length < 0x80 || length < 256 ** (octets - 1))
    throw new DerError('has a length that is written longer than it is');
  return length;
}

function octet(bytes: Buffer, at: number): number {
  const value = bytes[at];
  if (value === undefined) throw new DerError('ends within a value');
  return value;
}
