import { isApiError } from '../transport/api-error';
import { type Clock } from '../../process';
import { type KubeClient } from '../client/kube-client';
import { isSameLease, type LeaseRecord, readLease, writeLease } from './lease-record';
import { type LiveObject } from '../objects/live-object';
import { resourceOf } from '../objects/resource';

/** Options of a claim. */
export interface LeaseClaimOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  /** Name of the Lease. */
  readonly name: string;
  /** Identity of the claimant. */
  readonly identity: string;
  readonly clock: Clock;
  /** Lease duration in milliseconds: the time after the last renewal for which others do not take the lease. */
  readonly duration: number;
  /** Called when another holder is observed. @default - none */
  readonly onNewLeader: ((identity: string) => void) | undefined;
}

/** Duration of a released lease in milliseconds, as in client-go. */
const releasedDuration = 1_000;

/**
 * Claim to a Lease: its last observed state, and the requests that acquire, renew and release it. Requests that hold the
 * lease return the time at which they were sent, in milliseconds since 1970, because others may count the lease duration from that time.
 */
export class LeaseClaim {
  #observed: { readonly lease: LiveObject; readonly at: number } | undefined;

  constructor(private readonly options: LeaseClaimOptions) {}

  /** Holder in the last observed state; empty if there is none. */
  get holder(): string {
    return this.#observed ? readLease(this.#observed.lease).holder : '';
  }

  /** Whether another process held the lease in its last observed state. */
  get isHeldByOther(): boolean {
    return this.holder !== '' && this.holder !== this.options.identity;
  }

  /** Returns the milliseconds until the lease expires unless its holder renews it; 0 if it has expired or has no holder. */
  remaining(): number {
    if (!this.#observed || this.holder === '') return 0;
    // The holder may run with another duration.
    const duration = Math.max(readLease(this.#observed.lease).duration, this.options.duration);
    return Math.max(0, this.#observed.at + duration - this.options.clock.now());
  }

  /** Reads the lease; undefined if it does not exist. */
  async read(signal: AbortSignal): Promise<LiveObject | undefined> {
    const { client, namespace, name } = this.options;
    const lease = await client.get(resourceOf('Lease'), { namespace, name }, { signal });
    if (lease) this.#observe(lease);
    return lease;
  }

  /** Acquires the lease in the state that was read, or creates it. */
  async acquire(lease: LiveObject | undefined, signal: AbortSignal): Promise<number> {
    if (lease) return this.#write(lease, signal);
    const { client, clock, namespace, name, identity: holder, duration } = this.options;
    const sentAt = clock.now();
    const fresh = writeLease({ metadata: { namespace, name } }, { holder, duration, transitions: 0 }, sentAt);
    this.#observe(await client.create(fresh, { signal }));
    return sentAt;
  }

  /** Renews the lease in one request; undefined if this process does not hold it or it has changed since the last observed state. */
  async renew(signal: AbortSignal): Promise<number | undefined> {
    if (!this.#observed || this.holder !== this.options.identity) return undefined;
    try {
      return await this.#write(this.#observed.lease, signal);
    } catch (error) {
      if (isApiError(error, 404, 409)) return undefined;
      throw error;
    }
  }

  /** Releases the lease if this process holds it. */
  async release(signal: AbortSignal): Promise<void> {
    if (!this.#observed || this.holder !== this.options.identity) return;
    const { lease } = this.#observed;
    const { client, clock } = this.options;
    const record = { ...readLease(lease), holder: '', duration: releasedDuration };
    await client.update(writeLease(lease, record, clock.now()), { signal });
  }

  async #write(lease: LiveObject, signal: AbortSignal): Promise<number> {
    const { client, clock, identity, duration } = this.options;
    const { holder, transitions, acquired } = readLease(lease);
    const record: LeaseRecord =
      holder === identity
        ? { holder, duration, transitions, ...(acquired !== undefined && { acquired }) }
        : { holder: identity, duration, transitions: transitions + 1 };
    const sentAt = clock.now();
    this.#observe(await client.update(writeLease(lease, record, sentAt), { signal }));
    return sentAt;
  }

  /** Records the time of a renewal by this process's clock, because the clocks of others are not trusted. */
  #observe(lease: LiveObject): void {
    const before = this.holder;
    const isSame = this.#observed !== undefined && isSameLease(this.#observed.lease, lease);
    this.#observed = { lease, at: this.#observed && isSame ? this.#observed.at : this.options.clock.now() };
    if (this.holder !== before && this.holder !== '') this.options.onNewLeader?.(this.holder);
  }
}
