import { type LiveObject, type SentObject } from './live-object';

/** What a Lease says about its holder. */
export interface LeaseRecord {
  /** Empty where nobody holds it. */
  readonly holder: string;
  /** How long others must leave it to the holder after its last sign of life, in milliseconds. */
  readonly duration: number;
  /** How often it went to another holder. */
  readonly transitions: number;
  /** When the holder got it, as the holder wrote it. */
  readonly acquired?: string;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly leaseTransitions?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
}

const specOf = (lease: LiveObject): LeaseSpec => (lease['spec'] ?? {}) as LeaseSpec;

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

/** Says whether two states of a Lease tell the same: if not, its holder has given a sign of life. */
export const isSameLease = (a: LiveObject, b: LiveObject): boolean =>
  a.metadata.uid === b.metadata.uid && JSON.stringify(specOf(a)) === JSON.stringify(specOf(b));

/** A Lease to send, renewed now (milliseconds since 1970); what others keep in it stays. */
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

/** A time in the one form that Kubernetes reads as MicroTime: with six digits behind the seconds. */
const microTime = (now: number): string => new Date(now).toISOString().replace('Z', '000Z');
