import { type LiveObject, resourceOf } from '../../../lib/kube';
import { objectPath } from '../../../lib/kube/objects/resource';
import { childKinds } from '../../../lib/controller/observed/informer-stores';
import { type Client } from '../../control-plane/client';
import { type SeededRandom } from './seeded-random';
import { list, ownerOf } from './cluster-snapshot';
import { keyOf, type User } from './user';

/** Merge patch of an object; `delete` deletes it. */
type Edit = object | 'delete';
type Edits = Readonly<Record<string, readonly ((random: SeededRandom) => Edit)[]>>;

const scale = (random: SeededRandom): Edit => ({ spec: { replicas: random.integer(0, 4) } });
const remove = (): Edit => 'delete';
const templateEdit = (): Edit => ({
  spec: { template: { spec: { priorityClassName: null, terminationGracePeriodSeconds: 7 } } },
});
const removeHash = (): Edit => ({ metadata: { annotations: { 'pinterest.com/last-applied-hash': null } } });
const label = (): Edit => ({ metadata: { labels: { 'app.kubernetes.io/managed-by': 'other-manager' } } });
/** Returns an edit that other managers may make and that the controller keeps. */
const foreignAnnotation = (random: SeededRandom): Edit => ({
  metadata: { annotations: { 'chaos.example.com/touched': String(random.integer(0, 9999)) } },
});

/** Edits that replace or remove pods. */
const disruptiveEdits: Edits = {
  Deployment: [scale, templateEdit, remove, removeHash],
  StatefulSet: [scale, templateEdit, removeHash],
  DaemonSet: [templateEdit, remove],
  ConfigMap: [remove],
};

/** Edits that do not affect pods. */
const harmlessEdits: Edits = {
  Service: [remove, () => ({ spec: { selector: { broken: 'yes' } } }), label],
  ServiceAccount: [label, removeHash],
  PodDisruptionBudget: [remove, () => ({ spec: { maxUnavailable: '50%', minAvailable: null } })],
  CronJob: [() => ({ spec: { schedule: '1 2 3 4 *' } }), remove, label],
  HorizontalPodAutoscaler: [() => ({ spec: { maxReplicas: 9 } }), remove],
  Deployment: [label, removeHash],
  StatefulSet: [label],
  DaemonSet: [label, removeHash],
};

/** Client that edits custom resources, and edits or deletes their objects. */
export class InterferingClient {
  readonly log: string[] = [];

  constructor(
    private readonly client: Client,
    private readonly random: SeededRandom,
    private readonly user: User,
    private readonly namespaces: readonly string[],
  ) {}

  /** Performs one random edit; failures are only logged. */
  async act(): Promise<void> {
    try {
      if (this.random.is(0.3)) await this.#document();
      else await this.#child();
    } catch (error) {
      this.log.push(`  failed: ${String(error)}`);
    }
  }

  async #document(): Promise<void> {
    const histories = [...this.user.workloads.values()];
    if (histories.length === 0) return;
    const { workload } = this.random.of(histories);
    await this.#edit(workload, foreignAnnotation(this.random));
  }

  async #child(): Promise<void> {
    const kind = this.random.of(Object.keys({ ...disruptiveEdits, ...harmlessEdits }));
    const namespace = this.random.of(this.namespaces);
    if (!childKinds.includes(kind)) throw new Error(`${kind} is not a child kind`);
    const found = (await list(this.client, kind, namespace)).filter((object) => this.#historyOf(object) !== undefined);
    if (found.length === 0) return;
    const object = this.random.of(found);
    const isUntouched = this.#historyOf(object)?.isUntouched === true;
    const edits = [
      foreignAnnotation,
      ...(harmlessEdits[kind] ?? []),
      ...(isUntouched ? [] : (disruptiveEdits[kind] ?? [])),
    ];
    await this.#edit(object, this.random.of(edits)(this.random));
  }

  #historyOf(object: LiveObject) {
    const owner = ownerOf(object);
    const { namespace = '' } = object.metadata;
    return owner && this.user.workloads.get(keyOf({ kind: owner.kind, metadata: { namespace, name: owner.name } }));
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
