import { type LiveObject, resourceOf } from '../../../lib/kube';
import { objectPath } from '../../../lib/kube/objects/resource';
import { childKinds } from '../../../lib/controller/observed/informer-stores';
import { type Client } from '../../control-plane/client';
import { type Chance } from './chance';
import { list, ownerOf } from './sight';
import { keyOf, type User } from './user';

/** Merge patch of an object; `delete` deletes it. */
type Edit = object | 'delete';
type Edits = Readonly<Record<string, readonly ((chance: Chance) => Edit)[]>>;

const scale = (chance: Chance): Edit => ({ spec: { replicas: chance.integer(0, 4) } });
const remove = (): Edit => 'delete';
const image = (): Edit => ({
  spec: { template: { spec: { priorityClassName: null, terminationGracePeriodSeconds: 7 } } },
});
const ownHash = (): Edit => ({ metadata: { annotations: { 'pinterest.com/last-applied-hash': null } } });
const label = (): Edit => ({ metadata: { labels: { 'app.kubernetes.io/managed-by': 'other-manager' } } });
/** Returns an edit that other managers may make and that is kept. */
const foreign = (chance: Chance): Edit => ({
  metadata: { annotations: { 'chaos.example.com/touched': String(chance.integer(0, 9999)) } },
});

/** Edits that replace or remove pods. */
const harsh: Edits = {
  Deployment: [scale, image, remove, ownHash],
  StatefulSet: [scale, image, ownHash],
  DaemonSet: [image, remove],
  ConfigMap: [remove],
};

/** Edits that do not affect pods. */
const mild: Edits = {
  Service: [remove, () => ({ spec: { selector: { broken: 'yes' } } }), label],
  ServiceAccount: [label, ownHash],
  PodDisruptionBudget: [remove, () => ({ spec: { maxUnavailable: '50%', minAvailable: null } })],
  CronJob: [() => ({ spec: { schedule: '1 2 3 4 *' } }), remove, label],
  HorizontalPodAutoscaler: [() => ({ spec: { maxReplicas: 9 } }), remove],
  Deployment: [label, ownHash],
  StatefulSet: [label],
  DaemonSet: [label, ownHash],
};

/** Another client, which edits custom resources and edits or deletes their objects. */
export class Meddler {
  readonly log: string[] = [];

  constructor(
    private readonly client: Client,
    private readonly chance: Chance,
    private readonly user: User,
    private readonly namespaces: readonly string[],
  ) {}

  /** Performs one random edit; failures are only logged. */
  async act(): Promise<void> {
    try {
      if (this.chance.is(0.3)) await this.#document();
      else await this.#child();
    } catch (error) {
      this.log.push(`  failed: ${String(error)}`);
    }
  }

  async #document(): Promise<void> {
    const stories = [...this.user.stories.values()];
    if (stories.length === 0) return;
    const { workload } = this.chance.of(stories);
    await this.#edit(workload, foreign(this.chance));
  }

  async #child(): Promise<void> {
    const kind = this.chance.of(Object.keys({ ...harsh, ...mild }));
    const namespace = this.chance.of(this.namespaces);
    if (!childKinds.includes(kind)) throw new Error(`${kind} is not a child kind`);
    const found = (await list(this.client, kind, namespace)).filter((object) => this.#storyOf(object) !== undefined);
    if (found.length === 0) return;
    const object = this.chance.of(found);
    const isUntouched = this.#storyOf(object)?.isUntouched === true;
    const edits = [foreign, ...(mild[kind] ?? []), ...(isUntouched ? [] : (harsh[kind] ?? []))];
    await this.#edit(object, this.chance.of(edits)(this.chance));
  }

  #storyOf(object: LiveObject) {
    const owner = ownerOf(object);
    const { namespace = '' } = object.metadata;
    return owner && this.user.stories.get(keyOf({ kind: owner.kind, metadata: { namespace, name: owner.name } }));
  }

  async #edit(
    object: Pick<LiveObject, 'kind'> & { readonly metadata: { readonly name: string; readonly namespace?: string } },
    edit: Edit,
  ): Promise<void> {
    const path = objectPath(resourceOf(object.kind), object.metadata);
    const what = `${new Date().toISOString()} ${JSON.stringify(edit)} ${keyOf(object)}`;
    const { status } =
      edit === 'delete'
        ? await this.client.request('DELETE', path)
        : await this.client.request('PATCH', path, edit, {
            contentType: 'application/merge-patch+json',
            query: { fieldManager: 'other-manager' },
          });
    this.log.push(`${what} ${status}`);
  }
}
