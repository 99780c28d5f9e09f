import { generateKeyPairSync } from 'node:crypto';
import { metadataKeys, parseManifest, type ManifestInput, type PlatformManifest } from '../../lib/api';
import {
  partDigest,
  prepareArtifact,
  proofText,
  publicKeyText,
  signAuthorization,
  workloadPart,
  type ArtifactContent,
  type ArtifactResource,
  type Authorization,
  type Envelope,
  type PreparedArtifact,
  type WorkloadTrust,
} from '../../lib/artifact';
import { contentOf, Issuer, projectOf, provenance, publisher } from './artifact-fixture';

type Fields = Readonly<Record<string, unknown>>;

/** A workload as read from the API server. */
export type LiveResource = ArtifactResource & {
  readonly metadata: ArtifactResource['metadata'] & { readonly labels: Fields; readonly annotations: Fields };
  readonly spec: Fields;
};

/** The stage production of an artifact of the project shop, its CI, and the key of the submission service. */
export class DeployedStage {
  readonly ci = new Issuer();
  readonly content: ArtifactContent;
  readonly prepared: PreparedArtifact;

  constructor(
    content: ArtifactContent = contentOf(),
    readonly deploymentKey = generateKeyPairSync('ed25519').privateKey,
  ) {
    this.content = content;
    this.prepared = prepareArtifact(content, provenance);
  }

  get stage() {
    const stage = this.content.stages.find(({ name }) => name === 'production');
    if (!stage) throw new Error('no stage production');
    return stage;
  }

  /** Project with a protected stage on cluster prod-1. */
  project(overrides: Fields = {}): PlatformManifest<'Project'> {
    return projectOf([{ name: 'production', clusters: ['prod-1'], publishers: [publisher()], ...overrides }]);
  }

  trust(overrides: Partial<WorkloadTrust> = {}): WorkloadTrust {
    return {
      cluster: 'prod-1',
      project: this.project(),
      deploymentKeys: [publicKeyText(this.deploymentKey)],
      issuerKeys: () => Promise.resolve(this.ci.keys),
      ...overrides,
    };
  }

  authorizationOf(resource: ArtifactResource, overrides: Partial<Authorization> = {}): Authorization {
    const { kind, metadata } = resource;
    return {
      cluster: 'prod-1',
      project: metadata.namespace,
      stage: 'production',
      kind,
      name: metadata.name,
      part: partDigest(workloadPart(resource)),
      artifact: this.prepared.reference,
      digest: this.prepared.digest,
      sequence: 7,
      intent: 'deploy',
      ...overrides,
    };
  }

  /** Returns a workload as the service applies it and the API server stores it. */
  live(
    resource: ArtifactResource = this.stage.resources[0] as ArtifactResource,
    { authorization = {}, envelope = this.ci.sign(this.prepared) }: LiveOptions = {},
  ): LiveResource {
    const signed = this.authorizationOf(resource, authorization);
    const signature = envelope && { envelope, provenance };
    return {
      ...resource,
      metadata: {
        ...resource.metadata,
        uid: 'u-1',
        resourceVersion: '17',
        labels: { ...(resource.metadata['labels'] as Fields), [metadataKeys.stage]: signed.stage },
        annotations: {
          ...(resource.metadata['annotations'] as Fields),
          [metadataKeys.artifact]: signed.artifact,
          [metadataKeys.artifactDigest]: signed.digest,
          [metadataKeys.deploymentSequence]: `${signed.sequence}`,
          [metadataKeys.proof]: proofText(this.content, 'production', resource, signature ?? undefined),
          [metadataKeys.authorization]: signAuthorization(signed, this.deploymentKey),
        },
      },
      // With the defaults of the API server.
      spec: parseManifest(resource as unknown as ManifestInput).spec as Fields,
    };
  }
}

interface LiveOptions {
  readonly authorization?: Partial<Authorization>;
  /** @default - the token of the CI; null for none */
  readonly envelope?: Envelope | null;
}
