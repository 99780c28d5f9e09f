import { type KeyObject } from 'node:crypto';
import * as z from 'zod';
import { canonicalJson, readCanonicalJson } from './canonical-json';
import { authorizationPayload, envelopeBytes, isSignedBy, readEnvelope, signedByKey } from './envelope';

/** Format version of authorizations. */
const format = 'pinion.authorization/1';

const digest = () => z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** Schema of an authorization. */
export const authorizationFields = z.strictObject({
  cluster: z.string(),
  project: z.string(),
  stage: z.string(),
  kind: z.string(),
  name: z.string(),
  part: digest(),
  artifact: z.string(),
  digest: digest(),
  sequence: z.int().min(1),
  intent: z.enum(['deploy', 'rollback', 'breakGlass']),
});
const schema = authorizationFields.extend({ format: z.literal(format) });

/** Permission to run one part of an artifact as one workload, from one deployment on. */
export interface Authorization {
  /** Name of the cluster, as in its Platform. */
  readonly cluster: string;
  readonly project: string;
  readonly stage: string;
  readonly kind: string;
  readonly name: string;
  /** Digest of the part: `sha256:` and 64 hexadecimal digits. */
  readonly part: string;
  /** `project/workflow@version`. */
  readonly artifact: string;
  /** Digest of the artifact. */
  readonly digest: string;
  /** Sequence number of the deployment in the project. */
  readonly sequence: number;
  /** `breakGlass` bypasses the publishers of the stage. */
  readonly intent: 'deploy' | 'rollback' | 'breakGlass';
}

/** Signs an authorization; returns the text of its annotation. */
export function signAuthorization(authorization: Authorization, privateKey: KeyObject): string {
  const payload = Buffer.from(canonicalJson({ format, ...authorization }));
  return Buffer.from(envelopeBytes(signedByKey(payload, privateKey, authorizationPayload))).toString();
}

/** Decodes an authorization that one of the public keys (SPKI in base64) signed; undefined for any other text. */
export function verifiedAuthorization(text: string, publicKeys: readonly string[]): Authorization | undefined {
  const envelope = readEnvelope(Buffer.from(text), authorizationPayload);
  if (!envelope || !publicKeys.some((key) => isSignedBy(envelope, key))) return undefined;
  const parsed = schema.safeParse(readCanonicalJson(envelope.payload));
  if (!parsed.success) return undefined;
  const { format: _, ...authorization } = parsed.data;
  return authorization;
}
