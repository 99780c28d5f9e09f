import { createHash } from 'node:crypto';

/** Returns sixteen characters that stand for a text: 96 bits of its SHA-1, enough to distinguish versions of one object. */
export const contentDigest = (text: string): string => createHash('sha1').update(text).digest('base64url').slice(0, 16);
