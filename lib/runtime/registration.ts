import { type Clock } from '../kube';
import { type Log } from './log';
import { type ZookeeperSession } from './zookeeper-session';
import { ZookeeperError, zookeeperCodes } from './zookeeper-error';
import { type Access, type Change, type NodeFacts } from './zookeeper-wire';

/** What a registration is about. */
export interface RegistrationOptions {
  /** Absolute path of the node. */
  readonly path: string;
  readonly data: Buffer;
  readonly access: Access;
  readonly session: ZookeeperSession;
  readonly clock: Clock;
  readonly log: Log;
}

/** What is known of the node: unknown without a connection, `elsewhere` when a newer registrar of the pod holds it. */
export type Standing = 'unknown' | 'present' | 'absent' | 'elsewhere';

/** Answers that mean that somebody changed something between our look and our change: look again at once. */
const overtaken: readonly number[] = [zookeeperCodes.nodeExists, zookeeperCodes.badVersion, zookeeperCodes.noNode];
/** Looks that follow each other without a pause. */
const maxLooks = 10;

/**
 * Keeps one node of the pod as it is wanted: level-triggered, by looking and changing only what differs.
 * An entry of another session is replaced in one transaction, so that readers see neither none nor two; fenced by its version.
 * Only the first entry of a process may replace a stranger's: later a stranger is a newer registrar of the same pod, and this one steps back.
 */
export class Registration {
  #wanted: boolean | undefined;
  #standing: Standing = 'unknown';
  #hasHeld = false;
  #looking: Promise<void> | undefined;
  #again = false;
  #failures = 0;
  #cancelRetry: () => void = () => undefined;
  /** Entries that were made, taken over and removed, and requests that failed: for metrics. */
  readonly counts = { created: 0, replaced: 0, removed: 0, failed: 0 };

  constructor(private readonly options: RegistrationOptions) {}

  get standing(): Standing {
    return this.options.session.isConnected ? this.#standing : 'unknown';
  }

  /** Whether the node is as it is wanted; true while nobody has said what is wanted. */
  get isSettled(): boolean {
    if (this.#wanted === undefined) return true;
    return this.standing === 'elsewhere' || this.standing === (this.#wanted ? 'present' : 'absent');
  }

  /** Says whether the entry is to be there. Nothing is touched before this was said once. */
  want(isWanted: boolean): void {
    this.#wanted = isWanted;
    this.look();
  }

  /** Looks anew after a connection was lost: what was known then may be over, with the session. */
  reconnected(): void {
    this.#standing = 'unknown';
    this.look();
  }

  /** Looks and puts right what differs; called for every change, and never more than once at a time. */
  look(): void {
    this.#again = true;
    this.#cancelRetry();
    this.#looking ??= this.#run();
  }

  /** Resolves when no look is under way. */
  async idle(): Promise<void> {
    await this.#looking;
  }

  async #run(): Promise<void> {
    for (let looks = 0; this.#again && looks < maxLooks; looks += 1) {
      this.#again = false;
      try {
        await this.#pass();
        this.#failures = 0;
      } catch (error) {
        this.#fail(error);
      }
    }
    this.#looking = undefined;
    if (this.#again) this.#retry();
  }

  async #pass(): Promise<void> {
    const { session, path } = this.options;
    if (this.#wanted === undefined || !session.isConnected) return;
    const found = await session.exists(path);
    const isOurs = found !== undefined && session.isOurs(found.owner);
    if (found && !isOurs && this.#hasHeld) return this.#settle('elsewhere');
    if (!this.#wanted) {
      if (found) await this.#change([{ type: 'delete', path, version: found.version }], 'removed');
      return this.#settle('absent');
    }
    if (!found) await this.#create();
    else if (found.owner !== session.id) await this.#replace(found);
    else if (found.version !== 0) await this.#replace(found);
    this.#hasHeld = true;
    this.#settle('present');
  }

  async #create(): Promise<void> {
    try {
      await this.#change([this.#entry()], 'created');
    } catch (error) {
      if (!(error instanceof ZookeeperError && error.code === zookeeperCodes.noNode)) throw error;
      await this.#makeFolders();
      await this.#change([this.#entry()], 'created');
    }
    // Only a look leaves a watch: without it nobody would tell when the entry is removed by another hand.
    this.#again = true;
  }

  async #replace(found: NodeFacts): Promise<void> {
    const { path } = this.options;
    await this.#change([{ type: 'delete', path, version: found.version }, this.#entry()], 'replaced');
    this.#again = true;
  }

  #entry(): Change {
    const { path, data, access } = this.options;
    return { type: 'create', path, data, ephemeral: true, access };
  }

  async #change(changes: readonly Change[], count: 'created' | 'replaced' | 'removed'): Promise<void> {
    await this.options.session.change(changes);
    this.counts[count] += 1;
    this.options.log('info', `entry ${count}`, { path: this.options.path });
  }

  async #makeFolders(): Promise<void> {
    const { path, session, access } = this.options;
    const steps = path.split('/').slice(1, -1);
    for (let depth = 1; depth <= steps.length; depth += 1) {
      const folder = `/${steps.slice(0, depth).join('/')}`;
      if (await session.exists(folder)) continue;
      await session
        .change([{ type: 'create', path: folder, data: Buffer.alloc(0), ephemeral: false, access }])
        .catch((error: unknown) => {
          if (!(error instanceof ZookeeperError && error.code === zookeeperCodes.nodeExists)) throw error;
        });
    }
  }

  #settle(standing: Standing): void {
    if (standing === this.#standing) return;
    this.#standing = standing;
    if (standing === 'elsewhere')
      this.options.log('warn', 'a newer registrar of this pod holds the entry; this one steps back', {
        path: this.options.path,
      });
  }

  #fail(error: unknown): void {
    this.#standing = 'unknown';
    // A lost connection brings its own next look.
    if (error instanceof ZookeeperError && error.code === zookeeperCodes.connectionLoss) return;
    if (error instanceof ZookeeperError && overtaken.includes(error.code)) {
      this.#again = true;
      return;
    }
    this.counts.failed += 1;
    this.options.log('error', 'ZooKeeper refused a change', { path: this.options.path, reason: String(error) });
    this.#retry();
  }

  #retry(): void {
    const { clock } = this.options;
    this.#failures += 1;
    const longest = Math.min(10_000, 250 * 2 ** this.#failures);
    this.#cancelRetry = clock.after(longest / 2 + (clock.random() * longest) / 2, () => this.look());
  }
}
