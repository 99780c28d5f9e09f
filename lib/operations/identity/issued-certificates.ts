import { type Clock, isApiError, type KubeClient, type LiveObject, resourceOf } from '../../kube';

/** Dependencies of the record of issued certificates. */
interface IssuedCertificatesDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Namespace of its ConfigMap. */
  readonly namespace: string;
  /** Milliseconds for which an entry is kept: afterwards a request of its instance is denied because of its age. */
  readonly keepFor: number;
}

/** Entry of an instance. */
interface IssuedCertificate {
  /** Name of the request that was approved. */
  readonly request: string;
  readonly uid: string;
  /** RFC 3339. */
  readonly at: string;
}

/** Name of the ConfigMap. */
export const issuedCertificatesName = 'pinion-node-certificates';

/** Attempts to write the ConfigMap while other decisions write it. */
const maxAttempts = 8;

/**
 * First client certificates by instance, in one ConfigMap that is written with its resource version as precondition: of
 * two concurrent requests for an instance, also at different replicas, one is approved.
 */
export class IssuedCertificates {
  constructor(private readonly deps: IssuedCertificatesDeps) {}

  /**
   * Records the request that an instance gets its certificate for. Returns the entry of an earlier request, which is not
   * replaced; undefined if there is none, or if it is the same request.
   */
  async record(instance: string, { metadata }: LiveObject): Promise<IssuedCertificate | undefined> {
    for (let attempt = 1; ; attempt++) {
      const stored = await this.read();
      const entries = entriesOf(stored);
      const earlier = entries.get(instance);
      if (earlier) return earlier.uid === metadata.uid ? undefined : earlier;
      const now = this.deps.clock.now();
      const kept = [...entries].filter(([, { at }]) => !(now - Date.parse(at) > this.deps.keepFor));
      const entry = { request: metadata.name, uid: metadata.uid, at: new Date(now).toISOString() };
      try {
        await this.write(stored, [...kept, [instance, entry]]);
        return undefined;
      } catch (error) {
        if (!isApiError(error, 409) || attempt === maxAttempts) throw error;
      }
    }
  }

  private read(): Promise<LiveObject | undefined> {
    const { client, namespace } = this.deps;
    return client.get(resourceOf('ConfigMap'), { name: issuedCertificatesName, namespace });
  }

  private write(
    stored: LiveObject | undefined,
    entries: readonly (readonly [string, IssuedCertificate])[],
  ): Promise<LiveObject> {
    const { client, namespace } = this.deps;
    const data = Object.fromEntries(entries.map(([instance, entry]) => [instance, JSON.stringify(entry)]));
    if (stored) return client.update({ ...stored, data });
    const metadata = { name: issuedCertificatesName, namespace };
    return client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  }
}

/** Returns the entries; an unreadable one still prevents another certificate. */
function entriesOf(stored: LiveObject | undefined): ReadonlyMap<string, IssuedCertificate> {
  const data = (stored?.['data'] ?? {}) as Readonly<Record<string, string>>;
  return new Map(Object.entries(data).map(([instance, text]) => [instance, entryOf(text)]));
}

function entryOf(text: string): IssuedCertificate {
  try {
    const { request = 'unknown', uid = '', at = '' } = JSON.parse(text) as Partial<IssuedCertificate>;
    return { request, uid, at };
  } catch {
    return { request: 'unknown', uid: '', at: '' };
  }
}
