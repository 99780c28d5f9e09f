import { nearest, type PlatformDocument, type Problem, type Spec } from '../api';
import { envelopeName, type SignedArtifact, type StoredSignature } from './artifact';
import { audienceOf, isSignedBy, tokenKeyId } from './envelope';
import { claimsOf, verifiedClaims, type TokenClaims } from './identity-token';
import { IssuerUnreachable, type IssuerKeys } from './issuer-keys';
import { type Objects } from './objects';
import { type Provenance } from './statement';

type ProjectStage = NonNullable<Spec<'Project'>['stages']>[number];

/** A CI identity whose artifacts a stage accepts. */
export type Publisher = ProjectStage['publishers'][number];

/** What a Project says of one of its stages. */
export interface StageRule {
  readonly publishers: readonly Publisher[];
  /** Groups that may deploy past the publishers in an emergency. */
  readonly breakGlass: readonly string[];
  /** Groups whose people may deploy to it. @default - all members with the role edit or admin */
  readonly deployers?: readonly string[] | undefined;
}

/** Whether a stage accepts an artifact, and on whose word. */
export type Acceptance =
  | {
      readonly accepted: true;
      readonly provenance: Provenance | undefined;
      /** Whose signature it was; undefined where the stage is not protected and nobody was asked. */
      readonly publisher: Publisher | undefined;
    }
  | { readonly accepted: false; readonly problems: readonly Problem[] };

/** Remembers signatures by tokens that were verified while their issuer still said its keys. */
export interface Witness {
  /** Whether a signature, by the hash of its envelope, was verified before. */
  knows(envelope: string): Promise<boolean>;
  remember(envelope: string): Promise<void>;
}

/** A witness whose memory is kept in objects. They must be its own: whoever can write there can vouch for anything. */
export const witnessIn = (objects: Objects): Witness => ({
  knows: async (envelope) => (await objects.read(`witnessed/${envelope}`)) !== undefined,
  remember: async (envelope) => void (await objects.create(`witnessed/${envelope}`, Buffer.from('{}'))),
});

/** Seconds by which the clocks of a CI run and its issuer may differ. */
const skew = 60;

/** What a Project says of a stage, or why nothing may be deployed to it. */
export function stageRule(
  project: PlatformDocument<'Project'>,
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
  const reason = 'is no stage of the Project';
  return { problems: [{ code: 'not-offered', path: ['spec', 'stages'], value: stage, reason, remedy, object }] };
}

/**
 * Whether one of a stage's publishers signed an artifact.
 *
 * Keys of issuers are asked for only where a publisher has no keys of its own, and of no issuer but those that are
 * listed. The age of a token does not matter: its audience is the very statement that it signs. A witness is asked before
 * the issuer, and told of what the issuer's keys prove, so that they may be exchanged afterwards.
 */
export async function examineAcceptance(
  artifact: SignedArtifact,
  { publishers }: StageRule,
  issuerKeys: IssuerKeys,
  witness?: Witness,
): Promise<Acceptance> {
  const [first] = artifact.signatures;
  if (publishers.length === 0) return { accepted: true, provenance: first?.provenance, publisher: undefined };
  const refusals: Refusal[] = [];
  for (const signature of artifact.signatures)
    for (const publisher of publishers) {
      const refusal = await refusalOf(signature, publisher, issuerKeys, witness);
      if (refusal === undefined) return { accepted: true, provenance: signature.provenance, publisher };
      refusals.push(refusal);
    }
  if (refusals.length === 0) refusals.push({ reason: 'is not signed', remedy: publishAgain });
  // Where a publisher is who published it, that others are not says nothing.
  const own = refusals.filter(({ remedy }) => remedy !== listed);
  const told = new Map((own.length > 0 ? own : refusals).map((refusal) => [refusal.reason, refusal]));
  const common = { code: 'not-trusted', path: ['spec', 'stages'], value: artifact.reference } as const;
  return { accepted: false, problems: [...told.values()].map((refusal) => ({ ...common, ...refusal })) };
}

/** Why a signature is not a publisher's, and what to do about it. */
type Refusal = Pick<Problem, 'reason' | 'remedy'>;

const listed = 'deploy what one of the publishers of the stage published, or list its CI identity in the Project';
const publishAgain = 'publish it again from its commit, which gives the same artifact with a new signature';
const listKey =
  'list there the public half of the key that signed, as "openssl pkey -in KEY -pubout -outform DER | base64 -w0" prints it';

/** Why a signature is not a publisher's; undefined where it is. */
async function refusalOf(
  { envelope, provenance }: StoredSignature,
  publisher: Publisher,
  issuerKeys: IssuerKeys,
  witness: Witness | undefined,
): Promise<Refusal | undefined> {
  const other = difference(provenance, publisher);
  if (other !== undefined) return { reason: other, remedy: listed };
  const { keys, repository } = publisher;
  if (keys)
    return keys.some((key) => isSignedBy(envelope, key))
      ? undefined
      : {
          reason: `is not signed by a key of ${repository}`,
          remedy: `sign with a key that the Project lists, or ${listKey}`,
        };
  if (envelope.keyId !== tokenKeyId)
    return {
      reason: `is signed by a key, but ${repository} signs by tokens`,
      remedy: `publish it in its CI by a token, without --key; where it is to sign by a key, ${listKey}`,
    };
  const token = Buffer.from(envelope.signature).toString();
  const name = envelopeName(envelope);
  try {
    const isKnown = (await witness?.knows(name)) === true;
    const claims = isKnown ? claimsOf(token) : verifiedClaims(token, await issuerKeys(publisher.issuer));
    if (!claims) return { reason: `has a token that no known key of ${publisher.issuer} signed`, remedy: publishAgain };
    const reason = tokenRefusal(claims, audienceOf(envelope.payload), provenance);
    if (reason !== undefined) return { reason, remedy: publishAgain };
    if (!isKnown) await witness?.remember(name);
    return undefined;
  } catch (error) {
    if (!(error instanceof IssuerUnreachable)) throw error;
    return { reason: `cannot be verified: ${error.message}`, remedy: 'try again when the issuer answers' };
  }
}

/** What keeps a statement from being a publisher's. */
function difference({ issuer, repository, ref }: Provenance, publisher: Publisher): string | undefined {
  const isRef = publisher.ref.endsWith('*') ? ref.startsWith(publisher.ref.slice(0, -1)) : ref === publisher.ref;
  if (issuer === publisher.issuer && repository === publisher.repository && isRef) return undefined;
  return `was published by ${repository} at ${ref} (${issuer})`;
}

function tokenRefusal(claims: TokenClaims, audience: string, provenance: Provenance): string | undefined {
  if (claims.aud !== audience) return 'has a token that was made for something else';
  const differs =
    claims.iss !== provenance.issuer ||
    claims.repository !== provenance.repository ||
    claims.ref !== provenance.ref ||
    (claims.sha ?? provenance.commit) !== provenance.commit;
  if (differs) return 'says something else than its token';
  const published = Date.parse(provenance.published) / 1000;
  const isTimely = claims.iat - skew <= published && published <= claims.exp + skew;
  return isTimely ? undefined : 'was published at another time than its token was valid';
}
