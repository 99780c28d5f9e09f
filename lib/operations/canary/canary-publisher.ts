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

/** Services and identity of the canary's publisher. */
export interface PublisherDeps {
  readonly store: ArtifactStore;
  /** Signs an artifact payload with the canary's identity. */
  readonly sign: (payload: Uint8Array) => Promise<Envelope>;
  /** Publisher identity, as listed in the Project's stage. */
  readonly identity: Pick<Provenance, 'issuer' | 'repository' | 'ref' | 'commit'>;
  readonly project: string;
  readonly stage: string;
  /** Cluster name in the submission service. */
  readonly target: string;
  readonly clock: Clock;
}

/** Publisher of the canary's artifacts; publishes each version once per run. */
export class CanaryPublisher {
  private readonly published = new Map<string, string>();

  constructor(private readonly deps: PublisherDeps) {}

  /** Publishes a workload as a version named after its content; returns its reference. Throws a `CanaryFailure`. */
  async publish(workflow: string, workload: ManifestInput<WorkloadKind>): Promise<string> {
    const { target, stage } = this.deps;
    const version = `1-${shortHash(JSON.stringify([workload, target, stage]))}`;
    const known = this.published.get(`${workflow}@${version}`);
    if (known !== undefined) return known;
    const reference = await this.put(workflow, version, workload);
    this.published.set(`${workflow}@${version}`, reference);
    return reference;
  }

  private async put(name: string, version: string, workload: ManifestInput<WorkloadKind>): Promise<string> {
    const { store, sign, identity, project, stage, target, clock } = this.deps;
    const { workflow, problems } = safeParseWorkflow({
      apiVersion,
      kind: 'Workflow',
      metadata: { name, namespace: project },
      spec: { workloads: { files: ['.'] }, stages: [{ name: stage, targets: [target] }] },
    });
    if (!workflow) throw publishFailure(problems);
    const documents = [{ value: workload as unknown as Readonly<Record<string, unknown>> }];
    const { commit } = identity;
    const { content, problems: unresolved } = resolveWorkflow({ workflow, documents, version, commit, given: {} });
    if (!content) throw publishFailure(unresolved);
    const published = new Date(clock.now()).toISOString();
    const prepared = prepareArtifact(content, { ...identity, published, tool: 'canary' });
    try {
      const { problems: rejected } = await store.put(prepared, await sign(prepared.payload), published);
      if (rejected.length > 0) throw publishFailure(rejected);
      return prepared.reference;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      throw new CanaryFailure(
        error.message,
        { call: { service: 'artifacts', status: 0, message: error.message } },
        { cause: error },
      );
    }
  }
}

function publishFailure(problems: readonly Problem[]): CanaryFailure {
  const message = problems.map(explainProblem).join('; ');
  return new CanaryFailure(message, { call: { service: 'artifacts', status: 400, message } });
}
