import {
  examineAcceptance,
  StoreInaccessible,
  type Acceptance,
  type ArtifactStage,
  type ArtifactStore,
  type IssuerKeys,
  type SignedArtifact,
  type StageRule,
  type Witness,
} from '../../artifact';
import { Refusal } from '../refusal';

/** What is asked of the artifact store. */
export interface ArtifactsOptions {
  readonly store: ArtifactStore;
  /** Keys of issuers, asked anew from time to time. */
  readonly issuerKeys: () => IssuerKeys;
  /** Remembers what was verified while its issuer still said its keys. */
  readonly witness?: Witness;
}

/** Artifacts that are remembered: what was published never changes, signatures apart, which are asked for again where they do not do. */
const mostKnown = 256;

/** The artifact store, whose contents are read once. */
export class KnownArtifacts {
  private readonly known = new Map<string, SignedArtifact>();
  private readonly accepted = new Map<string, Acceptance>();

  constructor(private readonly options: ArtifactsOptions) {}

  get store(): ArtifactStore {
    return this.options.store;
  }

  /** The artifact of a reference or digest. Throws a `Refusal` where it is not there, or the store does not answer. */
  async get(reference: string, anew = false): Promise<SignedArtifact> {
    const known = anew ? undefined : this.known.get(reference);
    if (known) return known;
    const { artifact, problems } = await reachable(() => this.options.store.get(reference));
    if (!artifact) throw new Refusal(404, { title: 'There is no such artifact', problems });
    for (const key of [artifact.reference, artifact.digest]) remember(this.known, key, artifact);
    return artifact;
  }

  /** A stage of an artifact. Throws a `Refusal` where it has none of that name. */
  async stage(reference: string, name: string): Promise<{ artifact: SignedArtifact; stage: ArtifactStage }> {
    const artifact = await this.get(reference);
    const { stages } = artifact.content;
    const stage = stages.find((one) => one.name === name);
    if (stage) return { artifact, stage };
    const remedy = `name one of ${stages.map((one) => one.name).join(', ')}`;
    const problem = { code: 'not-one-of', path: ['stage'], value: name, reason: 'is no stage of it', remedy } as const;
    throw new Refusal(422, { title: 'There is no such stage', problems: [problem] });
  }

  /** Whether a stage accepts an artifact, and on whose word. */
  async acceptance(artifact: SignedArtifact, rule: StageRule): Promise<Acceptance> {
    const key = JSON.stringify([artifact.digest, rule]);
    const known = this.accepted.get(key);
    if (known) return known;
    const examined = (one: SignedArtifact): Promise<Acceptance> =>
      reachable(() => examineAcceptance(one, rule, this.options.issuerKeys(), this.options.witness));
    const first = await examined(artifact);
    const found = first.accepted ? first : await examined(await this.get(artifact.digest, true));
    if (found.accepted) remember(this.accepted, key, found);
    return found;
  }
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= mostKnown) break;
    map.delete(oldest);
  }
}

/** Does something with the store; where that does not answer, whoever asks should come again. */
export async function reachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreInaccessible)) throw error;
    throw new Refusal(503, { title: 'The artifact store does not answer', retryAfter: 5 });
  }
}
