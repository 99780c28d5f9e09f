import { expectStatus } from '../../control-plane/api-response';
import { type Client, type SendableObject } from '../../control-plane/client';
import { type GeneratedSet } from './generated-set';
import { readNamespace, type NamespaceState, type SetObjects } from './namespace-state';
import { annotationsOf, type SetEvent } from './pod-event';
import { indexOf, type Dialect } from './set-state';

const mergePatch = { contentType: 'application/merge-patch+json' } as const;

/** Settings of a side. */
export interface SideOptions {
  readonly client: Client;
  readonly namespace: string;
  /** Group, version and plural of its sets. */
  readonly resource: string;
  readonly dialect: Dialect;
  readonly manifestOf: (set: GeneratedSet, namespace: string) => SendableObject;
}

/** One of the two controllers that are compared, with a namespace of its own. */
export class Side {
  constructor(private readonly options: SideOptions) {}

  /** Where the controller keeps its facts. */
  get dialect(): Dialect {
    return this.options.dialect;
  }

  /** Submits a set. */
  async submit(set: GeneratedSet): Promise<void> {
    const { client, manifestOf, namespace } = this.options;
    expectStatus(await client.apply(manifestOf(set, namespace)), [200, 201]);
  }

  /** Deletes a set with its Jobs, so that readings stay small. */
  async delete(name: string): Promise<void> {
    expectStatus(await this.options.client.request('DELETE', `${this.#sets}/${name}`), [200, 202]);
  }

  /** Reads all sets. */
  read(): Promise<NamespaceState> {
    return readNamespace(this.options.client, this.#sets, this.options.namespace);
  }

  /** Lets an event happen to a set. */
  async happen(event: SetEvent, name: string, { jobs, pods }: SetObjects): Promise<void> {
    if (event.do === 'suspend' || event.do === 'resume')
      return this.#patch(`${this.#sets}/${name}`, { spec: { suspend: event.do === 'suspend' } });
    const job = jobs.find(({ metadata }) => metadata.name === event.job);
    const chosen = (pods.get(job?.metadata.uid ?? '') ?? []).filter(
      (pod) => event.indexes.includes(indexOf(pod)) && pod.status.phase === 'Running',
    );
    const annotations = annotationsOf[event.do];
    for (const { metadata } of chosen)
      await this.#patch(`/api/v1/namespaces/${this.options.namespace}/pods/${metadata.name}`, {
        metadata: { annotations },
      });
  }

  get #sets(): string {
    const [group = '', version = '', plural = ''] = this.options.resource.split('/');
    return `/apis/${group}/${version}/namespaces/${this.options.namespace}/${plural}`;
  }

  async #patch(path: string, body: object): Promise<void> {
    expectStatus(await this.options.client.request('PATCH', path, body, mergePatch), [200]);
  }
}
