import { type KubeClient } from '../../lib/kube';
import { type BlobStore } from '../../lib/artifact';

/** Error thrown by a killed process. */
export class Killed extends Error {
  override readonly name = 'Killed' as const;
}

/** When a process dies: at one of its writes, before it is sent or before its response arrives. */
export interface CrashPoint {
  readonly at: number;
  readonly moment: 'before' | 'after';
}

const writes = ['create', 'apply', 'replace', 'replaceStatus', 'patch', 'remove'] as const;

/** A process that dies at one of its writes; afterwards it has no effect on other systems. */
export class CrashableProcess {
  readonly dead: Promise<void>;
  /** Started writes, in order. */
  readonly seen: string[] = [];
  private isDead = false;
  private die: () => void = () => undefined;

  /** `counts` decides by its name whether a write counts toward the crash. */
  constructor(
    private readonly crashPoint: CrashPoint | undefined,
    private readonly counts: (name: string) => boolean = () => true,
  ) {
    this.dead = new Promise((resolve) => (this.die = resolve));
  }

  /** Returns the client of this process. */
  client(client: KubeClient): KubeClient {
    return this.crashable(client, writes, (method, [first]) => {
      const object = first as { readonly kind?: string; readonly metadata?: { readonly name?: string } };
      return `${method} ${object.kind ?? ''} ${object.metadata?.name ?? ''}`;
    });
  }

  /** Returns the blob store of this process. */
  objects(objects: BlobStore): BlobStore {
    return this.crashable(objects, ['create', 'remove'], (method, [key]) => `${method} ${String(key)}`);
  }

  private crashable<T extends object>(
    wrapped: T,
    methods: readonly string[],
    name: (method: string, args: readonly unknown[]) => string,
  ): T {
    return new Proxy(wrapped, {
      get: (target, property) => {
        const found: unknown = Reflect.get(target, property, target);
        if (typeof found !== 'function') return found;
        const call = (found as (...args: unknown[]) => unknown).bind(target);
        if (property === 'close') return call;
        return (...args: unknown[]) => {
          if (this.isDead) return Promise.reject(new Killed());
          if (!methods.includes(String(property))) return call(...args);
          const write = name(String(property), args);
          if (!this.counts(write)) return call(...args);
          this.seen.push(write);
          return this.attempt(this.seen.length, () => call(...args) as Promise<unknown>);
        };
      },
    });
  }

  private async attempt(number: number, work: () => Promise<unknown>): Promise<unknown> {
    const isLast = this.crashPoint?.at === number;
    if (isLast && this.crashPoint.moment === 'before') throw this.killed();
    const response = await work();
    if (isLast || this.isDead) throw this.killed();
    return response;
  }

  private killed(): Killed {
    this.isDead = true;
    this.die();
    return new Killed();
  }
}
