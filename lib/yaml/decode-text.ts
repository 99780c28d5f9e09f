/** Maximum size of an input in bytes: 16 MiB, ten times what the API server accepts for one object. */
export const maxBytes = 16 * 1024 * 1024;

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

function isText(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Finds the first byte that is not UTF-8; the bytes before `from` are. */
function findBadByte(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const length = sequenceLength(bytes[at] as number);
    if (length === 0 || (length > 1 && !isText(bytes.subarray(at, at + length)))) return at;
    at += length;
  }
  return at;
}

const blockSize = 65_536;

/** Decodes UTF-8 bytes without a byte order mark, or returns the offset of the first invalid byte. */
export function decodeText(bytes: Uint8Array): { readonly text: string } | { readonly badByte: number } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    let start = 0;
    // A block starts at a character boundary: the search for the invalid byte itself is slow.
    for (;;) {
      let end = Math.min(start + blockSize, bytes.length);
      while (end < bytes.length && end > start + blockSize - 4 && isContinuation(bytes[end])) end--;
      if (end >= bytes.length || !isText(bytes.subarray(start, end))) return { badByte: findBadByte(bytes, start) };
      start = end;
    }
  }
}
