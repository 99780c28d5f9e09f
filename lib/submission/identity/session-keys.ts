import { createHash } from 'node:crypto';
import { type Problem } from '../../api';

/** A key that cookies are encrypted with. */
export interface SessionKey {
  /** Name in the head of what it sealed; says nothing of the key. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Uint8Array;
}

/** Keys of a rotation that may be in a file: one that seals, those before it, and one to come. */
const most = 4;

/** Reads keys from the text of a file: base64 of 32 bytes a line, the one that seals first. A problem shows nothing of a line. */
export function safeParseSessionKeys(text: string): {
  readonly keys?: readonly SessionKey[];
  readonly problems: readonly Problem[];
} {
  const lines = text.split('\n').map((line) => line.trim());
  const problems: Problem[] = [];
  const keys: SessionKey[] = [];
  lines.forEach((line, index) => {
    if (line === '') return;
    const bytes = Buffer.from(line, 'base64');
    const isKey = bytes.length === 32 && bytes.toString('base64') === line;
    const id = createHash('sha256').update('session key ').update(bytes).digest('base64url').slice(0, 11);
    const [reason, remedy] = ['is not a key', 'use 32 random bytes in base64, as `openssl rand -base64 32` does'];
    if (!isKey) problems.push({ code: 'bad-format', path: [index], reason, remedy });
    else keys.push({ id, bytes });
  });
  if (keys.length === 0 && problems.length === 0)
    problems.push({ code: 'required', path: [], reason: 'holds no key', remedy: 'write one, a line for each' });
  if (keys.length > most) {
    const [reason, remedy] = [`holds ${keys.length} keys`, `keep ${most} at most: take out the oldest`];
    problems.push({ code: 'out-of-range', path: [], reason, remedy });
  }
  return problems.length > 0 ? { problems } : { keys, problems };
}
