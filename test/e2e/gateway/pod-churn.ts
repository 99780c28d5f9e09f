import { expectStatus } from '../../control-plane/api-response';
import { type Client } from '../../control-plane/client';
import { type SeededRandom } from '../chaos/seeded-random';

/** Namespaces, one of which begins with the name of another: their order in lists is that of bytes. */
export const namespaces = ['churn', 'churn-b', 'churn.c'].map((name) => name.replace('.', '-x-'));
const apps = ['web', 'api', 'batch'];
const nodes = ['node-a', 'node-b'];

const labelsOf = (random: SeededRandom): Record<string, string> => ({
  app: random.of(apps),
  ...(random.is(1 / 2) && { tier: random.of(['front', 'back', '1', '30']) }),
  ...(random.is(1 / 4) && { 'example.com/canary': '' }),
});

/** Creates, changes and deletes pods at random. */
export class PodChurn {
  readonly #pods = new Map<string, string>();
  #count = 0;

  constructor(
    private readonly client: Client,
    private readonly random: SeededRandom,
  ) {}

  /** Creates the namespaces. */
  async prepare(): Promise<void> {
    for (const namespace of namespaces) {
      await this.client.ensureNamespace(namespace);
      expectStatus(
        await this.client.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } }),
        [200, 201],
      );
    }
  }

  /** Does one random write. */
  async step(): Promise<void> {
    const { random } = this;
    if (this.#pods.size < 10 || random.is(1 / 3)) await this.#create();
    else if (random.is(1 / 4)) await this.#delete();
    else await this.#change();
  }

  async #create(): Promise<void> {
    const { random, client } = this;
    const name = `pod-${(this.#count += 1)}`;
    const namespace = random.of(namespaces);
    const spec = {
      containers: [{ name: 'app', image: 'example.com/app:1' }],
      ...(random.is(1 / 2) && { nodeName: random.of(nodes) }),
    };
    const metadata = { name, namespace, labels: labelsOf(random) };
    expectStatus(await client.create({ apiVersion: 'v1', kind: 'Pod', metadata, spec } as never), [201]);
    this.#pods.set(name, namespace);
  }

  async #change(): Promise<void> {
    const { random, client } = this;
    const [name, namespace] = random.of([...this.#pods]);
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    const contentType = 'application/merge-patch+json';
    const response = random.is(1 / 3)
      ? await client.request(
          'PATCH',
          `${path}/status`,
          { status: { phase: random.of(['Running', 'Pending', 'Failed']) } },
          { contentType },
        )
      : await client.request(
          'PATCH',
          path,
          { metadata: { labels: { tier: null, 'example.com/canary': null, ...labelsOf(random) } } },
          { contentType },
        );
    expectStatus(response, [200]);
  }

  async #delete(): Promise<void> {
    const [name, namespace] = this.random.of([...this.#pods]);
    const path = `/api/v1/namespaces/${namespace}/pods/${name}?gracePeriodSeconds=0`;
    expectStatus(await this.client.request('DELETE', path), [200]);
    this.#pods.delete(name);
  }
}

/** Returns a random selection of pods, as the query of a read, and the path of its collection. */
export function randomSelection(random: SeededRandom): { readonly path: string; readonly query: URLSearchParams } {
  const query = new URLSearchParams();
  const labels = [
    ...['app=web', 'app==api', 'app!=batch', 'app in (web, api)', 'app notin (web)', 'tier', '!tier', 'tier>5'],
    ...['example.com/canary', 'example.com/canary=', 'app=web,tier in (front,back)', '!example.com/canary,app=batch'],
    ...['tier<20', 'app in (web),tier notin (front),!x', 'none=none', 'app in ()', 'tier = front'],
  ];
  const fields = [
    ...['spec.nodeName=node-a', 'spec.nodeName!=node-a', 'status.phase=Running', 'status.phase!=Running'],
    ...[
      'metadata.namespace=churn',
      'metadata.name=pod-3',
      'spec.nodeName=',
      'spec.nodeName=node-b,status.phase=Pending',
    ],
    ...['spec.restartPolicy=Always', 'metadata.name!=pod-1,metadata.name!=pod-2', 'status.podIP='],
  ];
  if (random.is(1 / 2)) query.set('labelSelector', random.of(labels));
  if (random.is(1 / 3)) query.set('fieldSelector', random.of(fields));
  const path = random.is(1 / 2) ? '/api/v1/pods' : `/api/v1/namespaces/${random.of([...namespaces, 'absent'])}/pods`;
  return { path, query };
}
