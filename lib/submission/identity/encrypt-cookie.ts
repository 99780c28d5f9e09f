import { CompactEncrypt, compactDecrypt, errors } from 'jose';
import { type SessionKey } from './session-keys';

/** Purpose of an encrypted text: one with another purpose is not decrypted. */
type Purpose = 'pinion-session' | 'pinion-login';

/** Encrypts a value (A256GCM) as a string for a cookie. */
export async function encryptCookie(value: unknown, purpose: Purpose, [key]: readonly SessionKey[]): Promise<string> {
  if (!key) throw new Error('there is no encryption key');
  return new CompactEncrypt(Buffer.from(JSON.stringify(value)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: key.id, typ: purpose })
    .encrypt(key.bytes);
}

/** Decrypts what was encrypted with one of the keys; undefined for anything else, even if a single bit differs. */
export async function decryptCookie(
  encrypted: string,
  purpose: Purpose,
  keys: readonly SessionKey[],
): Promise<unknown> {
  // Other encodings of the same bytes would be decrypted too.
  const isCanonical = encrypted
    .split('.')
    .every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
  if (!isCanonical) return undefined;
  try {
    const { plaintext, protectedHeader } = await compactDecrypt(
      encrypted,
      ({ kid }) => {
        const key = keys.find(({ id }) => id === kid);
        if (!key) throw new errors.JWEDecryptionFailed();
        return key.bytes;
      },
      { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
    );
    return protectedHeader.typ === purpose ? JSON.parse(Buffer.from(plaintext).toString('utf8')) : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
