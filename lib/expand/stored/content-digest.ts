import { createHash } from 'node:crypto';

/** Returns a digest of 16 characters: 96 bits of SHA-1, enough to distinguish versions of one object. */
export const contentDigest = (text: string): string => createHash('sha1').update(text).digest('base64url').slice(0, 16);
