import { nearest, type PlatformManifest, type Problem } from '../api';
import { envelopeName, type SignedArtifact, type StoredSignature } from './artifact';
import { audienceOf, isSignedBy, tokenKeyId } from './envelope';
import { decodeClaims, verifiedClaims, type TokenClaims } from './identity-token';
import { claimMismatch, identityMismatch, type TrustedPublisher } from './match-publisher';
import { IssuerUnreachable, type IssuerKeys } from './issuer-keys';
import { type BlobStore } from './blob-store';
import { type Provenance } from './statement';

/** Rules for a stage in its Project. */
export interface StageRule {
  readonly publishers: readonly TrustedPublisher[];
  /** Groups that may bypass the publishers in an emergency. */
  readonly breakGlass: readonly string[];
  /** Groups that may deploy to it. @default - all members with the role edit or admin */
  readonly deployers?: readonly string[] | undefined;
  /** Conditions for a version to enter it. @default - those of the workflow only */
  readonly promotion?: PromotionRule | undefined;
}

/** Promotion that a Project requires, as in `Project.spec.stages[].promotion`. */
export interface PromotionRule {
  readonly from?: string | undefined;
  readonly soak?: string | undefined;
  readonly approvals?: number | undefined;
  readonly approvers?: readonly string[] | undefined;
}

/** Result of verifying an artifact for a stage. */
export type Acceptance =
  | {
      readonly accepted: true;
      readonly provenance: Provenance | undefined;
      /** Publisher that signed; undefined if the stage is not protected. */
      readonly publisher: TrustedPublisher | undefined;
      /** Signature of that publisher. */
      readonly signature?: StoredSignature;
    }
  | { readonly accepted: false; readonly problems: readonly Problem[] };

/** Records signatures by tokens that were verified, because issuers rotate their keys. */
export interface VerificationStore {
  /** Returns whether a signature, by the hash of its envelope, was verified before. */
  isVerified(envelope: string): Promise<boolean>;
  markVerified(envelope: string): Promise<void>;
}

/**
 * Creates a verification store in a blob store. Writers of that store can vouch for any artifact: share it with nothing
 * else.
 */
export const createVerificationStore = (objects: BlobStore): VerificationStore => ({
  isVerified: async (envelope) => (await objects.read(`verified/${envelope}`)) !== undefined,
  markVerified: async (envelope) => void (await objects.create(`verified/${envelope}`, Buffer.from('{}'))),
});

/** Maximum clock skew between a CI run and its issuer, in seconds. */
const maxClockSkew = 60;

/** Returns the rules for a stage; reports a stage that the Project does not list. */
export function stageRule(
  project: PlatformManifest<'Project'>,
  stage: string,
): { readonly rule?: StageRule; readonly problems: readonly Problem[] } {
  const { stages } = project.spec;
  if (!stages) return { rule: { publishers: [], breakGlass: [] }, problems: [] };
  const rule = stages.find(({ name }) => name === stage);
  if (rule) return { rule, problems: [] };
  const names = stages.map(({ name }) => name);
  const guess = nearest(stage, names);
  const others = names.length > 0 ? `use ${names.join(' or ')}, or ` : '';
  const remedy = guess ? `did you mean "${guess}"?` : `${others}list it in the Project`;
  const object = `Project ${project.metadata.name}`;
  const reason = 'is not a stage of the Project';
  return { problems: [{ code: 'not-available', path: ['spec', 'stages'], value: stage, reason, remedy, object }] };
}

/**
 * Checks whether a publisher of the stage signed the artifact.
 *
 * Fetches keys only of issuers of listed publishers without keys. Tokens may have expired: their audience is the statement
 * that they sign. Verified tokens are recorded, so they stay valid when the issuer rotates its keys.
 */
export async function verifyArtifact(
  artifact: Pick<SignedArtifact, 'reference' | 'signatures'>,
  { publishers }: StageRule,
  issuerKeys: IssuerKeys,
  verifications?: VerificationStore,
): Promise<Acceptance> {
  const [first] = artifact.signatures;
  if (publishers.length === 0) return { accepted: true, provenance: first?.provenance, publisher: undefined };
  const rejections: Rejection[] = [];
  for (const signature of artifact.signatures)
    for (const publisher of publishers) {
      const rejection = await rejectionOf(signature, publisher, issuerKeys, verifications);
      if (rejection === undefined) return { accepted: true, provenance: signature.provenance, publisher, signature };
      rejections.push(rejection);
    }
  if (rejections.length === 0) rejections.push({ reason: 'is not signed', remedy: publishAgain });
  // If one publisher matches, the mismatches of the others are irrelevant.
  const own = rejections.filter(({ remedy }) => remedy !== useTrustedPublisher);
  const distinct = new Map((own.length > 0 ? own : rejections).map((rejection) => [rejection.reason, rejection]));
  const common = { code: 'untrusted-artifact', path: ['spec', 'stages'], value: artifact.reference } as const;
  return { accepted: false, problems: [...distinct.values()].map((rejection) => ({ ...common, ...rejection })) };
}

/** Returns whether a problem of a verification only means that an issuer does not respond. */
export const isIssuerOutage = ({ remedy }: Problem): boolean => remedy === retryWhenReachable;

/** Reason why a signature is not that of a trusted publisher, and the remedy. */
type Rejection = Pick<Problem, 'reason' | 'remedy'>;

const useTrustedPublisher =
  'deploy an artifact of a trusted publisher of the stage, or add its CI identity to the Project';
const useListedRun =
  'publish it from the workflow file, repository, event and environment that the publisher lists, or change its claims in the Project';
const retryWhenReachable = 'retry when the issuer is reachable';
const publishAgain = 'publish it again from its commit, which adds a new signature to the same artifact';
const listKey =
  'add the public key of the signing key there, as printed by "openssl pkey -in KEY -pubout -outform DER | base64 -w0"';

/** Returns why a signature is not a publisher's; undefined if it is. */
async function rejectionOf(
  { envelope, provenance }: StoredSignature,
  publisher: TrustedPublisher,
  issuerKeys: IssuerKeys,
  verifications: VerificationStore | undefined,
): Promise<Rejection | undefined> {
  const other = identityMismatch(provenance, publisher);
  if (other !== undefined) return { reason: other, remedy: useTrustedPublisher };
  const { keys, repository } = publisher;
  if (keys)
    return keys.some((key) => isSignedBy(envelope, key))
      ? undefined
      : {
          reason: `is not signed with a key of ${repository}`,
          remedy: `sign with a key that the Project lists, or ${listKey}`,
        };
  if (envelope.keyId !== tokenKeyId)
    return {
      reason: `is signed with a key, but ${repository} signs with tokens`,
      remedy: `publish it in its CI with a token, without --key; to sign with a key, ${listKey}`,
    };
  const token = Buffer.from(envelope.signature).toString();
  const name = envelopeName(envelope);
  try {
    const isKnown = (await verifications?.isVerified(name)) === true;
    const claims = isKnown ? decodeClaims(token) : await verifiedClaims(token, await issuerKeys(publisher.issuer));
    if (!claims)
      return { reason: `has a token that no current key of ${publisher.issuer} signed`, remedy: publishAgain };
    const reason = tokenRejection(claims, audienceOf(envelope.payload), provenance);
    if (reason !== undefined) return { reason, remedy: publishAgain };
    const differing = claimMismatch(claims.values, publisher);
    if (differing !== undefined) return { reason: differing, remedy: useListedRun };
    if (!isKnown) await verifications?.markVerified(name);
    return undefined;
  } catch (error) {
    if (!(error instanceof IssuerUnreachable)) throw error;
    return { reason: `cannot be verified: ${error.message}`, remedy: retryWhenReachable };
  }
}

function tokenRejection(claims: TokenClaims, audience: string, provenance: Provenance): string | undefined {
  if (claims.aud !== audience) return 'has a token for another audience';
  const differs =
    claims.iss !== provenance.issuer ||
    claims.repository !== provenance.repository ||
    claims.ref !== provenance.ref ||
    (claims.sha ?? provenance.commit) !== provenance.commit;
  if (differs) return 'does not match the claims of its token';
  const published = Date.parse(provenance.published) / 1000;
  const isTimely = claims.iat - maxClockSkew <= published && published <= claims.exp + maxClockSkew;
  return isTimely ? undefined : 'was not published while its token was valid';
}
