import { discoverIssuerKeys, IssuerUnreachable, type IssuerKey } from '../../artifact';
import { type Clock } from '../../client';

/** Fetches the current keys of an issuer; throws an `IssuerUnreachable`. */
type FetchKeys = (issuer: string) => Promise<readonly IssuerKey[]>;

/** Milliseconds for which keys are used without fetching them again, and between two requests to an issuer. */
const freshFor = 60_000;
/** Milliseconds for which keys are used while the issuer does not respond: a revoked key must not stay valid. */
const usableFor = 3_600_000;
/** Milliseconds for which reconciles wait for a request: other workloads need their workers. */
const maxWait = 1000;

interface Entry {
  keys?: { readonly values: readonly IssuerKey[]; readonly at: number };
  error?: IssuerUnreachable;
  /** Start of the last request. */
  requested: number;
  request: Promise<void>;
}

/** Keys of issuers, fetched in the background: an issuer that does not respond delays no other workload. */
export class IssuerKeyCache {
  readonly #entries = new Map<string, Entry>();

  constructor(
    private readonly clock: Clock,
    private readonly fetchKeys: FetchKeys = discoverIssuerKeys,
  ) {}

  /** Returns the keys of an issuer; throws an `IssuerUnreachable` if it has not sent them yet. */
  readonly of: FetchKeys = async (issuer) => {
    const now = this.clock.now();
    let entry = this.#entries.get(issuer);
    if (!entry || now - entry.requested >= freshFor) entry = this.#request(issuer, entry, now);
    await this.#waitFor(entry.request, entry.requested + maxWait - now);
    const { keys, error } = entry;
    if (keys && now - keys.at < usableFor) return keys.values;
    throw error ?? new IssuerUnreachable(`${issuer} has not sent its keys yet`);
  };

  #request(issuer: string, previous: Entry | undefined, now: number): Entry {
    const entry: Entry = { ...previous, requested: now, request: Promise.resolve() };
    entry.request = this.fetchKeys(issuer).then(
      (values) => {
        entry.keys = { values, at: this.clock.now() };
        delete entry.error;
      },
      (error: unknown) => {
        entry.error = error instanceof IssuerUnreachable ? error : new IssuerUnreachable(`${issuer} does not respond`);
      },
    );
    this.#entries.set(issuer, entry);
    return entry;
  }

  #waitFor(request: Promise<void>, milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.clock.after(milliseconds, resolve);
      void request.then(() => {
        cancel();
        resolve();
      });
    });
  }
}
