import { type Problem } from '../../api';
import {
  verifyArtifact,
  parseReference,
  StoreUnavailable,
  type Acceptance,
  type ArtifactStage,
  type ArtifactStore,
  type IssuerKeys,
  type SignedArtifact,
  type StageRule,
  type VerificationStore,
} from '../../artifact';
import { ProblemResponse } from '../problem-response';
import { LruCache } from '../lru-cache';

/** Dependencies of the artifact cache. */
export interface ArtifactsOptions {
  readonly store: ArtifactStore;
  /** Returns the keys of issuers, refreshed periodically. */
  readonly issuerKeys: () => IssuerKeys;
  /** Stores verifications that were made while the issuer still published its keys. */
  readonly verifications?: VerificationStore;
}

/**
 * Maximum total size of cached artifacts, in characters. A service reconciles thousands of deployments, and requests the
 * artifact of each many times.
 */
const maxCachedCharacters = 64_000_000;
/** Maximum number of cached verification results. */
const maxCachedResults = 16_384;

/**
 * Cache of the artifact store.
 *
 * Published artifacts never change, except their signatures, which are read again if they are insufficient.
 */
export class ArtifactCache {
  private readonly artifacts = new LruCache<SignedArtifact>(maxCachedCharacters);
  /** Digests by reference. */
  private readonly digests = new LruCache<string>(maxCachedResults);
  private readonly accepted = new LruCache<Acceptance>(maxCachedResults);
  private readonly reading = new Map<string, Promise<SignedArtifact>>();

  constructor(private readonly options: ArtifactsOptions) {}

  get store(): ArtifactStore {
    return this.options.store;
  }

  /**
   * Returns the artifact of a reference or digest. Throws a `ProblemResponse` if it does not exist or the store is
   * unavailable.
   */
  async get(reference: string, refresh = false): Promise<SignedArtifact> {
    const known = refresh ? undefined : this.artifacts.get(this.digests.get(reference) ?? reference);
    if (known) return known;
    const pendingRead = refresh ? undefined : this.reading.get(reference);
    if (pendingRead) return pendingRead;
    const reading = this.read(reference).finally(() => this.reading.delete(reference));
    this.reading.set(reference, reading);
    return reading;
  }

  private async read(reference: string): Promise<SignedArtifact> {
    const { artifact, isAbsent, problems } = await withStoreErrors(() => this.options.store.get(reference));
    if (!artifact)
      throw new ProblemResponse(404, {
        title: 'Artifact not found',
        problems: isAbsent ? [unpublished(reference)] : problems,
      });
    this.artifacts.set(artifact.digest, artifact, JSON.stringify(artifact.content).length);
    this.digests.set(artifact.reference, artifact.digest);
    return artifact;
  }

  /** Returns a stage of an artifact. Throws a `ProblemResponse` if there is none of that name. */
  async stage(reference: string, name: string): Promise<{ artifact: SignedArtifact; stage: ArtifactStage }> {
    const artifact = await this.get(reference);
    const { stages } = artifact.content;
    const stage = stages.find((one) => one.name === name);
    if (stage) return { artifact, stage };
    const remedy = `use one of ${stages.map((one) => one.name).join(', ')}`;
    const problem = {
      code: 'unsupported-value',
      path: ['stage'],
      value: name,
      reason: 'is not one of its stages',
      remedy,
    } as const;
    throw new ProblemResponse(422, { title: 'Stage not found', problems: [problem] });
  }

  /** Returns whether a stage accepts an artifact, and who signed it. */
  async acceptance(artifact: SignedArtifact, rule: StageRule): Promise<Acceptance> {
    const key = JSON.stringify([artifact.digest, rule]);
    const known = this.accepted.get(key);
    if (known) return known;
    const verify = (candidate: SignedArtifact): Promise<Acceptance> =>
      withStoreErrors(() => verifyArtifact(candidate, rule, this.options.issuerKeys(), this.options.verifications));
    const first = await verify(artifact);
    const found = first.accepted ? first : await verify(await this.get(artifact.digest, true));
    if (found.accepted) this.accepted.set(key, found);
    return found;
  }
}

/** Returns the problem of an unpublished artifact; the location of the store is not disclosed to callers. */
function unpublished(value: string): Problem {
  const named = parseReference(value);
  const remedy = named
    ? `use a published version; "pinion versions ${named.project}/${named.name}" lists them`
    : 'publish it again from its commit';
  return { code: 'unknown-reference', path: ['artifact'], value, reason: 'was not published', remedy };
}

/** Accesses the store; an unavailable store becomes a retryable response. */
export async function withStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new ProblemResponse(503, { title: 'The artifact store does not respond', retryAfter: 5 });
  }
}
