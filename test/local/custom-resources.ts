import { apiVersion, type ManifestInput, type PinionKind, pinionKinds } from '../../lib/api';
import { expectStatus } from '../control-plane/api-response';
import { type Client, type SendableObject } from '../control-plane/client';
import { waitFor } from '../control-plane/wait-for';

/** A custom resource as the API server returns it. */
export interface LiveCustomResource extends SendableObject {
  readonly kind: PinionKind;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly generation: number;
    readonly resourceVersion: string;
  };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: {
    readonly observedGeneration?: number;
    readonly phase?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason: string;
      readonly message: string;
    }[];
    readonly cause?: {
      readonly owner: string;
      readonly reason: string;
      readonly message: string;
      readonly object?: string;
    };
    readonly [field: string]: unknown;
  };
}

/** Returns whether a condition is True for the latest generation. */
export const isTrue = (document: LiveCustomResource, type: string): boolean =>
  document.status?.observedGeneration === document.metadata.generation &&
  (document.status.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');

/** Custom resources of a cluster with pinion: applies them as a user would, and waits for them. */
export class CustomResources {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Creates a Project and waits until it is ready; returns its name. */
  async project(name: string, spec: Partial<ManifestInput<'Project'>['spec']> = {}): Promise<string> {
    await this.apply({ apiVersion, kind: 'Project', metadata: { name }, spec: { team: name, ...spec } });
    await this.ready('Project', '', name);
    return name;
  }

  /** Applies a resource by server-side apply; throws where the API server rejects it. */
  async apply(document: ManifestInput): Promise<LiveCustomResource> {
    const response = expectStatus(await this.#client.apply(document as SendableObject), [200, 201]);
    return response.body as LiveCustomResource;
  }

  /** Returns a resource; undefined where there is none. */
  async read(kind: PinionKind, namespace: string, name: string): Promise<LiveCustomResource | undefined> {
    const metadata = { name, ...(pinionKinds[kind].scope === 'Namespaced' && { namespace }) };
    const response = await this.#client.get({ apiVersion, kind, metadata });
    return response.status === 200 ? (response.body as LiveCustomResource) : undefined;
  }

  /** Waits until the status of a resource reports its latest generation. */
  async until(
    kind: PinionKind,
    namespace: string,
    name: string,
    holds: (document: LiveCustomResource) => boolean,
    timeout = 60_000,
  ): Promise<LiveCustomResource> {
    let last: LiveCustomResource | undefined;
    try {
      return await waitFor(
        `${kind} ${namespace}/${name}`,
        async () => {
          last = await this.read(kind, namespace, name);
          return last && last.status?.observedGeneration === last.metadata.generation && holds(last) ? last : undefined;
        },
        { timeout, interval: 100 },
      );
    } catch (cause) {
      throw new Error(`${kind} ${namespace}/${name} stays ${JSON.stringify(last?.status, null, 2)}`, { cause });
    }
  }

  /** Waits until a resource is Ready in its latest generation. */
  ready(kind: PinionKind, namespace: string, name: string, timeout?: number): Promise<LiveCustomResource> {
    return this.until(kind, namespace, name, (document) => isTrue(document, 'Ready'), timeout);
  }
}
