import {
  apiVersion,
  safeParseWorkflow,
  explainProblem,
  type ManifestInput,
  type Problem,
  type WorkloadKind,
} from '../../api';
import {
  type ArtifactStore,
  type Envelope,
  prepareArtifact,
  type Provenance,
  resolveWorkflow,
  StoreUnavailable,
} from '../../artifact';
import { shortHash } from '../../expand';
import { type Clock } from '../../kube';
import { CanaryFailure } from './canary-failure';

/** What the canary publishes with: a CI of its own. */
export interface PublisherDeps {
  readonly store: ArtifactStore;
  /** Signs the payload of an artifact by the canary's identity. */
  readonly sign: (payload: Uint8Array) => Promise<Envelope>;
  /** Who it says it is; the Project's stage lists the same. */
  readonly identity: Pick<Provenance, 'issuer' | 'repository' | 'ref' | 'commit'>;
  readonly project: string;
  readonly stage: string;
  /** Name of the cluster, as the submission service calls it. */
  readonly target: string;
  readonly clock: Clock;
}

/** Publishes what the canary deploys, and forgets nothing that it published in this run. */
export class CanaryPublisher {
  private readonly done = new Map<string, string>();

  constructor(private readonly parts: PublisherDeps) {}

  /** Publishes a workload as a version of a workflow, named after its content; gives its reference. Throws a `CanaryFailure`. */
  async publish(workflow: string, workload: ManifestInput<WorkloadKind>): Promise<string> {
    const { target, stage } = this.parts;
    const version = `1-${shortHash(JSON.stringify([workload, target, stage]))}`;
    const known = this.done.get(`${workflow}@${version}`);
    if (known !== undefined) return known;
    const reference = await this.put(workflow, version, workload);
    this.done.set(`${workflow}@${version}`, reference);
    return reference;
  }

  private async put(name: string, version: string, workload: ManifestInput<WorkloadKind>): Promise<string> {
    const { store, sign, identity, project, stage, target, clock } = this.parts;
    const { workflow, problems } = safeParseWorkflow({
      apiVersion,
      kind: 'Workflow',
      metadata: { name, namespace: project },
      spec: { workloads: { files: ['.'] }, stages: [{ name: stage, targets: [target] }] },
    });
    if (!workflow) throw unpublished(problems);
    const documents = [{ value: workload as unknown as Readonly<Record<string, unknown>> }];
    const { commit } = identity;
    const { content, problems: wrong } = resolveWorkflow({ workflow, documents, version, commit, given: {} });
    if (!content) throw unpublished(wrong);
    const published = new Date(clock.now()).toISOString();
    const prepared = prepareArtifact(content, { ...identity, published, tool: 'canary' });
    try {
      const { problems: refused } = await store.put(prepared, await sign(prepared.payload), published);
      if (refused.length > 0) throw unpublished(refused);
      return prepared.reference;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      throw new CanaryFailure(
        error.message,
        { call: { of: 'artifacts', status: 0, message: error.message } },
        { cause: error },
      );
    }
  }
}

function unpublished(problems: readonly Problem[]): CanaryFailure {
  const message = problems.map(explainProblem).join('; ');
  return new CanaryFailure(message, { call: { of: 'artifacts', status: 400, message } });
}
