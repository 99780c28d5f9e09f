import { type LiveObject, type SentObject } from '../objects/live-object';

/** Holder and duration of a Lease. */
export interface LeaseRecord {
  /** Empty if there is none. */
  readonly holder: string;
  /** Lease duration in milliseconds. */
  readonly duration: number;
  /** Number of changes of the holder. */
  readonly transitions: number;
  /** Acquire time, as the holder wrote it. */
  readonly acquired?: string;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly leaseTransitions?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
}

const specOf = (lease: LiveObject): LeaseSpec => lease['spec'] ?? {};

/** Reads a Lease. */
export function readLease(lease: LiveObject): LeaseRecord {
  const { holderIdentity = '', leaseDurationSeconds = 0, leaseTransitions = 0, acquireTime } = specOf(lease);
  return {
    holder: holderIdentity,
    duration: leaseDurationSeconds * 1000,
    transitions: leaseTransitions,
    ...(acquireTime !== undefined && { acquired: acquireTime }),
  };
}

/** Returns whether a Lease has a holder that renewed it within its duration before `now`, milliseconds since 1970. */
export function isHeldLease(lease: LiveObject, now: number): boolean {
  const { holder, duration } = readLease(lease);
  return holder !== '' && now < Date.parse(specOf(lease).renewTime ?? '') + duration;
}

/** Returns whether two states of a Lease are equal; if not, its holder has renewed it. */
export const isSameLease = (a: LiveObject, b: LiveObject): boolean =>
  a.metadata.uid === b.metadata.uid && JSON.stringify(specOf(a)) === JSON.stringify(specOf(b));

/** Returns a Lease to send, renewed now (milliseconds since 1970); unknown fields of the spec remain. */
export function writeLease(
  base: LiveObject | { readonly metadata: SentObject['metadata'] },
  { holder, duration, transitions, acquired }: LeaseRecord,
  now: number,
): SentObject {
  const spec = 'kind' in base ? specOf(base) : {};
  const renewTime = microTime(now);
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: base.metadata,
    spec: {
      ...spec,
      holderIdentity: holder,
      leaseDurationSeconds: Math.max(1, Math.ceil(duration / 1000)),
      leaseTransitions: transitions,
      acquireTime: acquired ?? renewTime,
      renewTime,
    },
  };
}

/** Formats a time as Kubernetes' MicroTime, which needs six fractional digits. */
const microTime = (now: number): string => new Date(now).toISOString().replace('Z', '000Z');
