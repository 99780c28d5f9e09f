import { createHash } from 'node:crypto';

/** Letters of a hash: none is a hexadecimal digit, so that it does not look like an identifier. */
const letters = 'ghijklmnopqrstuv';
const hashLength = 10;

/** Bytes of a text in JSON, without quotes. */
const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

/**
 * Returns a name of at most some bytes in JSON. A longer one ends with a hash of all of it, so that names that only differ
 * at their ends stay apart.
 */
export function boundedName(text: string, maxBytes: number): string {
  // A character has at most six bytes.
  if (text.length * 6 <= maxBytes || (text.length <= maxBytes && bytesOf(text) <= maxBytes)) return text;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, hashLength);
  const hash = [...digest].map((digit) => letters[Number.parseInt(digit, 16)]).join('');
  let kept = '';
  let bytes = hashLength + 1;
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return `${kept}-${hash}`;
}
