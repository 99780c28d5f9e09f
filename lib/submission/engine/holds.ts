import { type ArtifactStore } from '../../artifact';
import { type ConfigMapState } from '../state/config-map-state';
import { neededDigests, type LaneName, type LedgerEntry } from '../state/project-ledger';

/** What holds of artifacts lean on. */
interface HoldsOptions {
  readonly state: ConfigMapState;
  readonly artifacts: { readonly store: ArtifactStore };
}

/** Artifacts that deployments need, which the store keeps for as long. */
export class Holds {
  /** What the store was told last that nothing needs, by holder. */
  private readonly told = new Map<string, ReadonlySet<string>>();

  constructor(private readonly options: HoldsOptions) {}

  /** Has the store keep what a deployment needs from here on, before anything is done with it. */
  hold(project: string, entry: LedgerEntry): Promise<void> {
    return this.options.artifacts.store.hold(entry.digest, holder(project, entry));
  }

  /** What the store was told last that nothing of a lane needs; undefined where it was told nothing by this process. */
  toldOf(project: string, of: LaneName): ReadonlySet<string> | undefined {
    return this.told.get(holder(project, of));
  }

  /** Lets the store forget artifacts; one that was asked for again meanwhile is held again. */
  async letGo(project: string, of: LaneName, digests: readonly string[]): Promise<void> {
    const { state, artifacts } = this.options;
    const name = holder(project, of);
    const isNeeded = (digest: string): boolean => neededDigests(state.ledger(project), of).includes(digest);
    // What it was told before may have been asked for again, and be let go of anew.
    this.told.delete(name);
    for (const digest of digests) {
      if (isNeeded(digest)) continue;
      await artifacts.store.release(digest, name);
      if (isNeeded(digest)) await artifacts.store.hold(digest, name);
    }
    this.told.set(name, new Set(digests));
  }

  /** Tells the store of a project what a process that drove before had no time to tell, or could not. */
  async letGoOfRest(project: string): Promise<void> {
    for (const [key, { released = [] }] of Object.entries(this.options.state.ledger(project).lanes)) {
      const [workflow = '', stage = ''] = key.split('/');
      if (released.length > 0) await this.letGo(project, { workflow, stage }, released);
    }
  }
}

/** Who needs an artifact, as the artifact store knows it: `project/workflow/stage`. */
const holder = (project: string, { workflow, stage }: LaneName): string => `${project}/${workflow}/${stage}`;
