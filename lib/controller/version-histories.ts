import { isWorkloadKind, metadataKeys } from '../api';
import { labelOf } from '../expand';
import { type KubeClient, type LiveObject, resourceOf } from '../client';
import { kindControllerOf } from './kinds/kind-controllers';
import { type Child, type Observed } from './observed/child';
import { isRolledOut } from './plan/rolled-out';
import { versionHistory, type VersionHistory } from './version-history';

/** Cached histories of workloads, read on demand and dropped when a rollout may have changed them. */
export class VersionHistories {
  readonly #cached = new Map<string, { readonly version: string; readonly history: VersionHistory }>();

  constructor(
    private readonly client: KubeClient,
    /** Returns whether a workload still exists: the history of a deleted one is not cached. */
    private readonly exists: (resource: LiveObject) => boolean,
  ) {}

  /** Returns the history of a workload. */
  async of(resource: LiveObject, { owned }: Observed): Promise<VersionHistory> {
    const { uid } = resource.metadata;
    const version = owned.map(versionOf).sort().join();
    const cached = this.#cached.get(uid);
    if (cached?.version === version) return cached.history;
    const history = versionHistory(await this.#versions(resource), owned);
    if (history.shrinking || !this.exists(resource)) this.#cached.delete(uid);
    else this.#cached.set(uid, { version, history });
    return history;
  }

  /** Drops the state of a deleted workload. */
  forget(uid: string): void {
    this.#cached.delete(uid);
  }

  async #versions({ kind, metadata }: LiveObject): Promise<LiveObject[]> {
    const { name, namespace } = metadata;
    const labelSelector = `${metadataKeys.kind}=${kind},${metadataKeys.workload}=${labelOf(name)}`;
    const selection = { ...(namespace !== undefined && { namespace }), labelSelector };
    const versions: LiveObject[] = [];
    for (const revisionKind of isWorkloadKind(kind) ? kindControllerOf(kind).revisionKinds : []) {
      const { items } = await this.client.list(resourceOf(revisionKind), selection);
      versions.push(...items);
    }
    return versions;
  }
}

/** Histories change only with a rollout; runs of a schedule are created and deleted at any time. */
const versionOf = (child: Child): string =>
  child.kind === 'CronJob' ? child.resourceVersion : `${child.uid}/${child.generation}/${isRolledOut(child)}`;
