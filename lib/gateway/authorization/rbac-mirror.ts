import {
  type Clock,
  SharedInformerFactory,
  type KubeClient,
  type LiveObject,
  type Resource,
  type SharedInformer,
} from '../../kube';
import { maxAge, maxSilence } from '../max-age';
import { type RbacBinding, Rbac, type RbacRole } from './rbac';
import { type RbacRule, type RbacSubject } from './rbac-rules';

/** Milliseconds within which changes are taken together; a revocation acts after that and the watch's delay. */
const settleTime = 100;

const apiVersion = 'rbac.authorization.k8s.io/v1';
const resource = (kind: string, plural: string, namespaced: boolean): Resource => ({
  apiVersion,
  kind,
  plural,
  namespaced,
});

/** Options of the mirror. */
export interface RbacMirrorOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly onError: (error: unknown, resource: Resource) => void;
}

/** Keeps the roles and bindings of the cluster, so that reads from the cache are authorized as the API server would. */
export class RbacMirror {
  #rbac = new Rbac([], []);
  #isPending = false;
  #wasRecent = true;
  readonly #factory: SharedInformerFactory;
  readonly #roles: readonly SharedInformer<RbacRole>[];
  readonly #bindings: readonly SharedInformer<RbacBinding>[];
  readonly #listeners = new Set<() => void>();

  constructor(private readonly options: RbacMirrorOptions) {
    const { client, clock, onError } = options;
    const factory = new SharedInformerFactory({
      client,
      clock,
      onError,
      streamLists: true,
      idleTimeout: maxSilence,
      // Of roles that do not change, the server may send none: after silence all are read again, so that they stay recent.
      bookmarks: false,
    });
    const informers = <T>(kinds: readonly Resource[], transform: (object: LiveObject) => T): SharedInformer<T>[] =>
      kinds.map((kind) => factory.informer({ resource: kind, transform }));
    this.#factory = factory;
    this.#roles = informers([resource('Role', 'roles', true), resource('ClusterRole', 'clusterroles', false)], toRole);
    this.#bindings = informers(
      [resource('RoleBinding', 'rolebindings', true), resource('ClusterRoleBinding', 'clusterrolebindings', false)],
      toBinding,
    );
  }

  /** Roles and bindings as they are known now. */
  get current(): Rbac {
    return this.#rbac;
  }

  /**
   * Returns whether the API server has confirmed each of the four resources within the maximum age. If not, as when a
   * connection hangs, a revocation may be missing, and the roles must not decide.
   */
  isRecent(): boolean {
    const contactAt = this.#factory.lastContactAt();
    const isRecent = contactAt !== undefined && this.options.clock.now() - contactAt <= maxAge;
    // The first answer after a silence must not come from the roles before it.
    if (isRecent && !this.#wasRecent) this.#rebuild();
    this.#wasRecent = isRecent;
    return isRecent;
  }

  /** Lists and watches; resolves when all roles and bindings are known. */
  async start(signal?: AbortSignal): Promise<void> {
    const changed = {
      onAdd: () => this.#schedule(),
      onUpdate: () => this.#schedule(),
      onDelete: () => this.#schedule(),
    };
    for (const informer of [...this.#roles, ...this.#bindings]) informer.addEventHandler(changed);
    this.#factory.start();
    await this.#factory.waitForCacheSync(signal);
    this.#rebuild();
  }

  /** Calls back after every change; the returned function ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops watching. */
  stop(): Promise<void> {
    return this.#factory.stop();
  }

  #schedule(): void {
    if (this.#isPending || !this.#factory.hasSynced()) return;
    this.#isPending = true;
    this.options.clock.after(settleTime, () => {
      this.#isPending = false;
      this.#rebuild();
      for (const listener of this.#listeners) listener();
    });
  }

  #rebuild(): void {
    const all = <T>(informers: readonly SharedInformer<T>[]): T[] =>
      informers.flatMap((informer) => [...informer.store.list()]);
    this.#rbac = new Rbac(all(this.#roles), all(this.#bindings));
  }
}

function toRole(object: LiveObject): RbacRole {
  const { namespace, name } = object.metadata;
  const { rules } = object as { readonly rules?: readonly RbacRule[] | null };
  return { namespace, name, rules: rules ?? [] };
}

function toBinding(object: LiveObject): RbacBinding {
  const { roleRef, subjects } = object as unknown as {
    readonly roleRef: RbacBinding['role'];
    readonly subjects?: readonly RbacSubject[] | null;
  };
  return { namespace: object.metadata.namespace, role: roleRef, subjects: subjects ?? [] };
}
