import { type Problem } from '../api';
import { contentBytes, digestOf, readContent, type ArtifactContent } from './artifact-content';
import { sha256 } from './digest';
import { envelopeBytes, readEnvelope, type Envelope } from './envelope';
import { readStatement, referenceOf, statementBytes, type Provenance } from './statement';

/** A signature of an artifact, with what it says. Who made it is seen by `examineAcceptance`. */
export interface StoredSignature {
  readonly envelope: Envelope;
  readonly provenance: Provenance;
}

/** An artifact with its signatures, whose bytes are known to be those that were signed. */
export interface SignedArtifact {
  /** `project/name@version`. */
  readonly reference: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  readonly content: ArtifactContent;
  /** In the order of their time. */
  readonly signatures: readonly StoredSignature[];
}

/** A content ready to be signed and put into a store. */
export interface PreparedArtifact {
  readonly reference: string;
  readonly digest: string;
  readonly content: ArtifactContent;
  readonly bytes: Uint8Array;
  /** The bytes that are signed. */
  readonly payload: Uint8Array;
}

/** Puts a content and its provenance into the bytes that are kept and signed. */
export function prepareArtifact(content: ArtifactContent, provenance: Provenance): PreparedArtifact {
  const bytes = contentBytes(content);
  const [reference, digest] = [referenceOf(content), digestOf(bytes)];
  return { reference, digest, content, bytes, payload: statementBytes({ name: reference, digest }, provenance) };
}

/** An object of a store: the name that it was asked for by, and its bytes. */
interface Kept {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Name of an envelope in a store: the hash of its bytes. */
export const envelopeName = (envelope: Envelope): string => sha256(envelopeBytes(envelope));

/** Reads an artifact out of the bytes that a store holds under its digest; says what was changed since it was put there. */
export function readArtifact(
  digest: string,
  bytes: Uint8Array,
  envelopes: readonly Kept[],
): { readonly artifact?: SignedArtifact; readonly problems: readonly Problem[] } {
  const content = digestOf(bytes) === digest ? readContent(bytes) : undefined;
  if (!content) return { problems: [changed(digest, 'holds other bytes than were published')] };
  const reference = referenceOf(content);
  const problems: Problem[] = [];
  const signatures = envelopes.flatMap(({ name, bytes: kept }): StoredSignature[] => {
    const envelope = sha256(kept) === name ? readEnvelope(kept) : undefined;
    const statement = envelope && readStatement(envelope.payload);
    if (envelope && statement && statement.subject.digest === digest && statement.subject.name === reference)
      return [{ envelope, provenance: statement.provenance }];
    problems.push({
      ...changed(reference, `has a signature, ${name.slice(0, 12)}, that is not of it`),
      severity: 'warning',
    });
    return [];
  });
  signatures.sort((a, b) => (a.provenance.published < b.provenance.published ? -1 : 1));
  return { artifact: { reference, digest, content, signatures }, problems };
}

const changed = (value: string, reason: string): Problem => ({
  code: 'not-trusted',
  path: [],
  value,
  reason,
  remedy: 'find out who wrote to the store, and publish it again from its commit',
});
