import { isApiError } from './api-error';
import { type Clock } from './clock';
import { type KubeClient } from './kube-client';
import { isSameLease, type LeaseRecord, readLease, writeLease } from './lease-record';
import { type LiveObject } from './live-object';
import { resourceOf } from './resource';

/** Who claims which lease. */
export interface LeaseClaimOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  /** Name of the Lease. */
  readonly name: string;
  /** Who claims it. */
  readonly identity: string;
  readonly clock: Clock;
  /** How long others leave it to its holder after the last sign of life, in milliseconds. */
  readonly duration: number;
  /** Another holder was seen. @default - nothing happens */
  readonly onHolder: ((identity: string) => void) | undefined;
}

/** Milliseconds for which a lease that was given up is held by nobody, as in client-go. */
const vacancy = 1_000;

/**
 * One claim to a Lease: what was last seen of it, and the requests by which it is taken, kept and given up. Those that
 * hold it say when they were sent, in milliseconds since 1970: others may count from there.
 */
export class LeaseClaim {
  #seen: { readonly lease: LiveObject; readonly at: number } | undefined;

  constructor(private readonly options: LeaseClaimOptions) {}

  /** Who held it when it was last seen; empty where nobody did. */
  get holder(): string {
    return this.#seen ? readLease(this.#seen.lease).holder : '';
  }

  /** Whether it was another's when it was last seen. */
  get isAnothers(): boolean {
    return this.holder !== '' && this.holder !== this.options.identity;
  }

  /** Milliseconds until it is over if its holder gives no sign of life; 0 where it is over or nobody's. */
  left(): number {
    if (!this.#seen || this.holder === '') return 0;
    // The holder may have been started with another duration than ours.
    const duration = Math.max(readLease(this.#seen.lease).duration, this.options.duration);
    return Math.max(0, this.#seen.at + duration - this.options.clock.now());
  }

  /** Reads it; undefined where it is not there. */
  async look(signal: AbortSignal): Promise<LiveObject | undefined> {
    const { client, namespace, name } = this.options;
    const lease = await client.get(resourceOf('Lease'), { namespace, name }, { signal });
    if (lease) this.#see(lease);
    return lease;
  }

  /** Takes it as it was read, or makes it where it is not there. */
  async take(lease: LiveObject | undefined, signal: AbortSignal): Promise<number> {
    if (lease) return this.#write(lease, signal);
    const { client, clock, namespace, name, identity: holder, duration } = this.options;
    const sentAt = clock.now();
    const fresh = writeLease({ metadata: { namespace, name } }, { holder, duration, transitions: 0 }, sentAt);
    this.#see(await client.create(fresh, { signal }));
    return sentAt;
  }

  /** Keeps it, in one request; undefined where it is not ours or has changed since it was last seen. */
  async renew(signal: AbortSignal): Promise<number | undefined> {
    if (!this.#seen || this.holder !== this.options.identity) return undefined;
    try {
      return await this.#write(this.#seen.lease, signal);
    } catch (error) {
      if (isApiError(error, 404, 409)) return undefined;
      throw error;
    }
  }

  /** Gives it up, where it is ours. */
  async release(signal: AbortSignal): Promise<void> {
    if (!this.#seen || this.holder !== this.options.identity) return;
    const { lease } = this.#seen;
    const { client, clock } = this.options;
    const record = { ...readLease(lease), holder: '', duration: vacancy };
    await client.replace(writeLease(lease, record, clock.now()), { signal });
  }

  async #write(lease: LiveObject, signal: AbortSignal): Promise<number> {
    const { client, clock, identity, duration } = this.options;
    const { holder, transitions, acquired } = readLease(lease);
    const record: LeaseRecord =
      holder === identity
        ? { holder, duration, transitions, ...(acquired !== undefined && { acquired }) }
        : { holder: identity, duration, transitions: transitions + 1 };
    const sentAt = clock.now();
    this.#see(await client.replace(writeLease(lease, record, sentAt), { signal }));
    return sentAt;
  }

  /** The moment of the last sign of life is ours: others' clocks are not trusted. */
  #see(lease: LiveObject): void {
    const before = this.holder;
    const isSame = this.#seen !== undefined && isSameLease(this.#seen.lease, lease);
    this.#seen = { lease, at: this.#seen && isSame ? this.#seen.at : this.options.clock.now() };
    if (this.holder !== before && this.holder !== '') this.options.onHolder?.(this.holder);
  }
}
