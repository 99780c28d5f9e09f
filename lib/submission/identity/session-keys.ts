import { createHash } from 'node:crypto';
import { type Problem } from '../../api';

/** Key that encrypts cookies. */
export interface SessionKey {
  /** Key ID in the header of encrypted strings; does not reveal the key. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Uint8Array;
}

/** Maximum number of keys in a file: one that encrypts, earlier ones, and the next one. */
const maxKeys = 4;

/** Parses keys: base64 of 32 bytes per line, the one that encrypts first. Problems do not contain parts of a line. */
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
    problems.push({ code: 'required', path: [], reason: 'contains no key', remedy: 'write one per line' });
  if (keys.length > maxKeys) {
    const [reason, remedy] = [`contains ${keys.length} keys`, `keep at most ${maxKeys}: remove the oldest`];
    problems.push({ code: 'out-of-range', path: [], reason, remedy });
  }
  return problems.length > 0 ? { problems } : { keys, problems };
}
