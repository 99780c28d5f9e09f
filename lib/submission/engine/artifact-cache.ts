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

/** What is asked of the artifact store. */
export interface ArtifactsOptions {
  readonly store: ArtifactStore;
  /** Keys of issuers, refreshed from time to time. */
  readonly issuerKeys: () => IssuerKeys;
  /** Remembers what was verified while its issuer still said its keys. */
  readonly verifications?: VerificationStore;
}

/** Characters of artifacts that are remembered. A service drives thousands of deployments, and asks for the artifact of each again and again. */
const maxKnown = 64_000_000;
/** Verdicts on signatures that are remembered. */
const maxVerdicts = 16_384;

/**
 * The artifact store, whose contents are read once.
 *
 * What was published never changes, signatures apart, which are asked for again where they do not do.
 */
export class ArtifactCache {
  private readonly known = new LruCache<SignedArtifact>(maxKnown);
  /** Digests of references. */
  private readonly digests = new LruCache<string>(maxVerdicts);
  private readonly accepted = new LruCache<Acceptance>(maxVerdicts);
  private readonly reading = new Map<string, Promise<SignedArtifact>>();

  constructor(private readonly options: ArtifactsOptions) {}

  get store(): ArtifactStore {
    return this.options.store;
  }

  /** The artifact of a reference or digest. Throws a `Refusal` where it is not there, or the store does not answer. */
  async get(reference: string, refresh = false): Promise<SignedArtifact> {
    const known = refresh ? undefined : this.known.get(this.digests.get(reference) ?? reference);
    if (known) return known;
    const under = refresh ? undefined : this.reading.get(reference);
    if (under) return under;
    const reading = this.read(reference).finally(() => this.reading.delete(reference));
    this.reading.set(reference, reading);
    return reading;
  }

  private async read(reference: string): Promise<SignedArtifact> {
    const { artifact, isAbsent, problems } = await reachable(() => this.options.store.get(reference));
    if (!artifact)
      throw new ProblemResponse(404, {
        title: 'There is no such artifact',
        problems: isAbsent ? [unpublished(reference)] : problems,
      });
    this.known.set(artifact.digest, artifact, JSON.stringify(artifact.content).length);
    this.digests.set(artifact.reference, artifact.digest);
    return artifact;
  }

  /** A stage of an artifact. Throws a `Refusal` where it has none of that name. */
  async stage(reference: string, name: string): Promise<{ artifact: SignedArtifact; stage: ArtifactStage }> {
    const artifact = await this.get(reference);
    const { stages } = artifact.content;
    const stage = stages.find((one) => one.name === name);
    if (stage) return { artifact, stage };
    const remedy = `name one of ${stages.map((one) => one.name).join(', ')}`;
    const problem = {
      code: 'unsupported-value',
      path: ['stage'],
      value: name,
      reason: 'is not one of its stages',
      remedy,
    } as const;
    throw new ProblemResponse(422, { title: 'There is no such stage', problems: [problem] });
  }

  /** Whether a stage accepts an artifact, and on whose word. */
  async acceptance(artifact: SignedArtifact, rule: StageRule): Promise<Acceptance> {
    const key = JSON.stringify([artifact.digest, rule]);
    const known = this.accepted.get(key);
    if (known) return known;
    const examined = (one: SignedArtifact): Promise<Acceptance> =>
      reachable(() => verifyArtifact(one, rule, this.options.issuerKeys(), this.options.verifications));
    const first = await examined(artifact);
    const found = first.accepted ? first : await examined(await this.get(artifact.digest, true));
    if (found.accepted) this.accepted.set(key, found);
    return found;
  }
}

/** Where the store is, and what lists it, is nothing to those who deploy from it. */
function unpublished(value: string): Problem {
  const named = parseReference(value);
  const remedy = named
    ? `name a version that was; "pinion versions ${named.project}/${named.name}" lists them`
    : 'publish it again from its commit';
  return { code: 'unknown-reference', path: ['artifact'], value, reason: 'was not published', remedy };
}

/** Accesses the store; an unavailable store becomes a retryable response. */
export async function reachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new ProblemResponse(503, { title: 'The artifact store does not answer', retryAfter: 5 });
  }
}
