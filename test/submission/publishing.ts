import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { apiVersion, safeParseWorkflow, type ManifestInput, type WorkloadKind } from '../../lib/api';
import {
  ArtifactStore,
  FolderBlobStore,
  prepareArtifact,
  publicKeyText,
  resolveWorkflow,
  signedByKey,
  type TrustedPublisher,
} from '../../lib/artifact';

/** Options of a stage. */
export interface StageText {
  readonly name: string;
  readonly targets?: readonly string[];
  readonly promotion?: { readonly when?: 'Ready' | 'Approved'; readonly soak?: string };
  readonly stop?: { readonly timeout?: string; readonly onFailure?: 'Keep' | 'Rollback' };
}

/** A CI with its own key, which publishes to a store in a folder. */
export class Publishing {
  readonly store: ArtifactStore;
  private readonly key: KeyObject = generateKeyPairSync('ed25519').privateKey;

  constructor(
    readonly folder: string,
    private readonly repository = 'commerce/shop',
  ) {
    this.store = new ArtifactStore(new FolderBlobStore(folder));
  }

  /** Private key of the CI. */
  get privateKey(): string {
    return this.key.export({ type: 'pkcs8', format: 'pem' }) as string;
  }

  /** Entry in the publishers of a Project. */
  get publisher(): TrustedPublisher {
    const { repository } = this;
    return { issuer: 'https://ci.example.com', repository, ref: 'refs/heads/main', keys: [publicKeyText(this.key)] };
  }

  /** Publishes a version of the workflow `web` of a project; returns its reference. */
  async publish(
    project: string,
    version: string,
    workloads: readonly ManifestInput<WorkloadKind>[],
    stages: readonly StageText[],
    workflowName = 'web',
  ): Promise<string> {
    const { workflow, problems } = safeParseWorkflow({
      apiVersion,
      kind: 'Workflow',
      metadata: { name: workflowName, namespace: project },
      spec: {
        workloads: { files: ['.'] },
        stages: stages.map((stage) => ({ targets: ['main'], ...stage })),
      },
    });
    if (!workflow) throw new Error(JSON.stringify(problems));
    const documents = workloads.map((value) => ({ value: value as unknown as Readonly<Record<string, unknown>> }));
    const commit = '3f786850e387550fdab836ed7e6dc881de23001b';
    const { content, problems: contentProblems } = resolveWorkflow({ workflow, documents, version, commit, given: {} });
    if (!content) throw new Error(JSON.stringify(contentProblems));
    const published = new Date().toISOString();
    const { repository } = this;
    const ref = 'refs/heads/main';
    const provenance = { issuer: 'https://ci.example.com', repository, ref, commit, published, tool: '0.2.0' };
    const prepared = prepareArtifact(content, provenance);
    const { problems: storeProblems } = await this.store.put(
      prepared,
      signedByKey(prepared.payload, this.key),
      published,
    );
    if (storeProblems.length > 0) throw new Error(JSON.stringify(storeProblems));
    return prepared.reference;
  }
}
