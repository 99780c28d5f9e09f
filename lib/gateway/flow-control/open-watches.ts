import { type ClientAccount } from '../identity/client-account';
import { type BudgetScope } from './flow-policy';

/** Watches that may be open at a gateway at a time. */
export interface OpenWatchLimits {
  /** Of one service account, or user. */
  readonly account: number;
  /** Of all service accounts of a project. */
  readonly project: number;
}

/** Subject that has as many open watches as it may have. */
export interface OpenWatchExcess {
  readonly scope: BudgetScope;
  readonly limit: number;
}

const defaultLimits: OpenWatchLimits = { account: 1_000, project: 5_000 };

/** Counts the open watches of accounts and projects: each costs memory, and time for every event, as long as it is open. */
export class OpenWatches {
  readonly #counts = new Map<string, number>();

  constructor(private readonly limits = defaultLimits) {}

  /** Counts a watch of an account; the returned function ends that. Returns the limit that one more would exceed, if any. */
  open({ kind, project, name }: ClientAccount): (() => void) | OpenWatchExcess {
    const subjects = [
      { scope: kind, key: `${project}/${name}`, limit: this.limits.account },
      // Users are in no project.
      ...(project === '' ? [] : [{ scope: 'project' as const, key: project, limit: this.limits.project }]),
    ];
    const excess = subjects.find(({ key, limit }) => (this.#counts.get(key) ?? 0) >= limit);
    if (excess) return { scope: excess.scope, limit: excess.limit };
    for (const { key } of subjects) this.#add(key, 1);
    let isOpen = true;
    return () => {
      if (isOpen) for (const { key } of subjects) this.#add(key, -1);
      isOpen = false;
    };
  }

  #add(key: string, change: number): void {
    const count = (this.#counts.get(key) ?? 0) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}
