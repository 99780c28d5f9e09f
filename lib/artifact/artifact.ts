import { type Problem } from '../api';
import { contentBytes, digestOf, readContent, type ArtifactContent } from './artifact-content';
import { sha256 } from './digest';
import { envelopeBytes, readEnvelope, type Envelope } from './envelope';
import { readStatement, referenceOf, statementBytes, type Provenance } from './statement';
import { workloadsDigest } from './workload-part';

/** Signature of an artifact with its provenance; `verifyArtifact` checks the signer. */
export interface StoredSignature {
  readonly envelope: Envelope;
  readonly provenance: Provenance;
}

/** Artifact with its signatures; its bytes match the signed digest. */
export interface SignedArtifact {
  /** `project/name@version`. */
  readonly reference: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  readonly content: ArtifactContent;
  /** Oldest first. */
  readonly signatures: readonly StoredSignature[];
}

/** Content that is ready to be signed and stored. */
export interface PreparedArtifact {
  readonly reference: string;
  readonly digest: string;
  readonly content: ArtifactContent;
  readonly bytes: Uint8Array;
  /** Bytes to sign. */
  readonly payload: Uint8Array;
}

/** Encodes a content and its provenance for signing and storage. */
export function prepareArtifact(content: ArtifactContent, provenance: Provenance): PreparedArtifact {
  const bytes = contentBytes(content);
  const [reference, digest, workloads] = [referenceOf(content), digestOf(bytes), workloadsDigest(content)];
  const payload = statementBytes({ name: reference, digest, workloads }, provenance);
  return { reference, digest, content, bytes, payload };
}

/** Stored object with its name. */
interface StoredEnvelope {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Returns the name of an envelope in a store: the hash of its bytes. */
export const envelopeName = (envelope: Envelope): string => sha256(envelopeBytes(envelope));

/** Decodes a stored artifact; reports bytes that changed since they were published. */
export function readArtifact(
  digest: string,
  bytes: Uint8Array,
  envelopes: readonly StoredEnvelope[],
): { readonly artifact?: SignedArtifact; readonly problems: readonly Problem[] } {
  const content = digestOf(bytes) === digest ? readContent(bytes) : undefined;
  if (!content) return { problems: [untrusted(digest, 'does not match its digest')] };
  const reference = referenceOf(content);
  const problems: Problem[] = [];
  const signatures = envelopes.flatMap(({ name, bytes: kept }): StoredSignature[] => {
    const envelope = sha256(kept) === name ? readEnvelope(kept) : undefined;
    const statement = envelope && readStatement(envelope.payload);
    if (envelope && statement && statement.subject.digest === digest && statement.subject.name === reference)
      return [{ envelope, provenance: statement.provenance }];
    problems.push({
      ...untrusted(reference, `has a signature of another artifact, ${name.slice(0, 12)}`),
      severity: 'warning',
    });
    return [];
  });
  signatures.sort((a, b) => (a.provenance.published < b.provenance.published ? -1 : 1));
  return { artifact: { reference, digest, content, signatures }, problems };
}

const untrusted = (value: string, reason: string): Problem => ({
  code: 'untrusted-artifact',
  path: [],
  value,
  reason,
  remedy: 'find out who modified the store, then publish it again from its commit',
});
