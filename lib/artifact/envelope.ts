import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import { canonicalJson, readCanonicalJson } from './canonical-json';
import { sha256 } from './digest';

/** Payload type of envelopes of publishers: in-toto statement. */
const statementPayload = 'application/vnd.in-toto+json';
/** Payload type of envelopes of the submission service. */
export const authorizationPayload = 'application/vnd.pinion.authorization+json';

/** Type of a signed payload: part of what is signed, so that no signature can stand for the other type. */
export type PayloadType = typeof statementPayload | typeof authorizationPayload;

/** Key ID of signatures that are identity tokens. */
export const tokenKeyId = 'oidc';

/** DSSE envelope with one signature. */
export interface Envelope {
  /** Type of the payload. @default - in-toto statement */
  readonly payloadType?: PayloadType;
  readonly payload: Uint8Array;
  /** SHA-256 of the public key (SPKI), or `oidc`. */
  readonly keyId: string;
  readonly signature: Uint8Array;
}

/** Returns the DSSE pre-authentication encoding: type and payload, each with its length. */
function preAuthenticationEncoding(payload: Uint8Array, payloadType: PayloadType = statementPayload): Buffer {
  const head = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/**
 * Returns the audience of an identity token that signs a payload.
 *
 * It contains the hash of the payload, so a stolen token cannot sign another artifact, and a replay publishes the same one.
 */
export const audienceOf = (payload: Uint8Array): string =>
  `pinion:sha256:${createHash('sha256').update(preAuthenticationEncoding(payload)).digest('hex')}`;

/** Parses a private key in PEM: Ed25519, or ECDSA with P-256 or P-384; undefined otherwise. */
export function readSigningKey(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
    const isCurve = ['prime256v1', 'secp384r1'].includes(details?.namedCurve ?? '');
    return type === 'ed25519' || (type === 'ec' && isCurve) ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Signs a payload, by default a statement, with an Ed25519 or ECDSA key. */
export function signedByKey(payload: Uint8Array, privateKey: KeyObject, payloadType?: PayloadType): Envelope {
  const algorithm = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const signature = sign(algorithm, preAuthenticationEncoding(payload, payloadType), privateKey);
  const keyId = keyIdOf(spkiOf(createPublicKey(privateKey)));
  return { ...(payloadType && { payloadType }), payload, keyId, signature };
}

/** Signs a payload with an identity token for the payload's audience. */
export const signedByToken = (payload: Uint8Array, token: string): Envelope => ({
  payload,
  keyId: tokenKeyId,
  signature: Buffer.from(token),
});

const spkiOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

/** Returns a public key in the format of Projects: SPKI in base64. */
export const publicKeyText = (privateKey: KeyObject): string => spkiOf(createPublicKey(privateKey)).toString('base64');

const keyIdOf = (spki: Uint8Array): string => sha256(spki);

/** Returns whether a public key in the format of Projects signed the envelope. */
export function isSignedBy({ payloadType, payload, keyId, signature }: Envelope, publicKey: string): boolean {
  const spki = Buffer.from(publicKey, 'base64');
  if (keyId !== keyIdOf(spki)) return false;
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    if (!['ed25519', 'ec'].includes(key.asymmetricKeyType ?? '')) return false;
    const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
    return verify(algorithm, preAuthenticationEncoding(payload, payloadType), key, signature);
  } catch {
    return false;
  }
}

/** Encodes an envelope. */
export function envelopeBytes({ payloadType = statementPayload, payload, keyId, signature }: Envelope): Uint8Array {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  const signatures = [{ keyid: keyId, sig: base64(signature) }];
  return Buffer.from(canonicalJson({ payloadType, payload: base64(payload), signatures }));
}

const base64 = z.base64().transform((text) => new Uint8Array(Buffer.from(text, 'base64')));
const schemaOf = (payloadType: PayloadType) =>
  z.strictObject({
    payloadType: z.literal(payloadType),
    payload: base64,
    signatures: z.tuple([z.strictObject({ keyid: z.string(), sig: base64 })]),
  });
const schemas = {
  [statementPayload]: schemaOf(statementPayload),
  [authorizationPayload]: schemaOf(authorizationPayload),
};

/** Decodes an envelope, by default of a statement; undefined unless the bytes are exactly what `envelopeBytes` writes. */
export function readEnvelope(bytes: Uint8Array, payloadType: PayloadType = statementPayload): Envelope | undefined {
  const parsed = schemas[payloadType].safeParse(readCanonicalJson(bytes));
  if (!parsed.success) return undefined;
  const { payload, signatures } = parsed.data;
  const type = payloadType === statementPayload ? {} : { payloadType };
  const envelope = { ...type, payload, keyId: signatures[0].keyid, signature: signatures[0].sig };
  return Buffer.from(envelopeBytes(envelope)).equals(bytes) ? envelope : undefined;
}
