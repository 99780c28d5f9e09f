import { createHash } from 'node:crypto';

/** Sixteen characters that stand for a text: 96 bits of its SHA-1, enough to tell versions of one object apart. */
export const contentDigest = (text: string): string => createHash('sha1').update(text).digest('base64url').slice(0, 16);
