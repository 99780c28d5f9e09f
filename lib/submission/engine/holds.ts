import { type ArtifactStore } from '../../artifact';
import { type ConfigMapState } from '../state/config-map-state';
import { neededDigests, type WorkflowStage, type LedgerEntry } from '../state/project-ledger';

/** Dependencies of holds. */
interface HoldsOptions {
  readonly state: ConfigMapState;
  readonly artifacts: { readonly store: ArtifactStore };
}

/** Retention holds on the artifacts of deployments. */
export class Holds {
  /** Digests released last in the store, by holder. */
  private readonly released = new Map<string, ReadonlySet<string>>();

  constructor(private readonly options: HoldsOptions) {}

  /** Places a hold on a deployment's artifact, before it is used. */
  hold(project: string, entry: LedgerEntry): Promise<void> {
    return this.options.artifacts.store.hold(entry.digest, holder(project, entry));
  }

  /** Returns the digests of a stage history that this process released last; undefined if there are none. */
  releasedOf(project: string, of: WorkflowStage): ReadonlySet<string> | undefined {
    return this.released.get(holder(project, of));
  }

  /** Releases holds; artifacts that are needed again meanwhile are held again. */
  async release(project: string, of: WorkflowStage, digests: readonly string[]): Promise<void> {
    const { state, artifacts } = this.options;
    const name = holder(project, of);
    const isNeeded = (digest: string): boolean => neededDigests(state.ledger(project), of).includes(digest);
    // Digests released before may be needed again, and be released again later.
    this.released.delete(name);
    for (const digest of digests) {
      if (isNeeded(digest)) continue;
      await artifacts.store.release(digest, name);
      if (isNeeded(digest)) await artifacts.store.hold(digest, name);
    }
    this.released.set(name, new Set(digests));
  }

  /** Releases the holds of a project that an earlier leader could not release. */
  async releaseRemaining(project: string): Promise<void> {
    for (const [key, { released = [] }] of Object.entries(this.options.state.ledger(project).histories)) {
      const [workflow = '', stage = ''] = key.split('/');
      if (released.length > 0) await this.release(project, { workflow, stage }, released);
    }
  }
}

/** Returns the holder of an artifact in the store: `project/workflow/stage`. */
const holder = (project: string, { workflow, stage }: WorkflowStage): string => `${project}/${workflow}/${stage}`;
