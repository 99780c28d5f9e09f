import { type Approval } from '../../contract';
import { manager, recommended } from '../../api';
import { labelOf, shortHash } from '../../expand';
import {
  InformerFactory,
  isApiError,
  resourceOf,
  type Clock,
  type KubeClient,
  type LiveObject,
  type SentObject,
  type SharedInformer,
  withoutWeight,
} from '../../kube';
import { readRecord, recordTexts, type DeploymentRecord } from './deployment-record';
import { emptyLedger, readLedger, type ProjectLedger } from './project-ledger';

const component = 'submission';
const partLabel = recommended.component;
const configMaps = resourceOf('ConfigMap');
const indexers = { project: (object: LiveObject) => [object.metadata.labels?.[projectLabel] ?? ''] };
const projectLabel = recommended.partOf;

/** How long the others may write before one's own write is given up. */
const attempts = 20;

/** What the state leans on. */
export interface StateOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Namespace that holds it; nobody else may write there. */
  readonly namespace: string;
  readonly onError: (error: unknown) => void;
}

/** What a change of a ledger comes to: a ledger to write, or none, and what the caller wants to know. */
export interface LedgerChange<T> {
  readonly ledger?: ProjectLedger;
  readonly result: T;
}

/** Thrown where somebody wrote first; who holds on to an old state reads it anew. */
export class Outdated extends Error {
  override readonly name = 'Outdated' as const;
}

/**
 * All that the service remembers, as ConfigMaps of its own namespace: one for each deployment, one ledger for each
 * project, one for each approval.
 *
 * Every write has the version that was read as precondition. What was written by this process is seen by it at once; what
 * others write, as soon as the mirror has it.
 */
export class ConfigMapState {
  private readonly mirror: SharedInformer<LiveObject>;
  private readonly factory: InformerFactory;
  private readonly listeners = new Set<(object: LiveObject) => void>();

  constructor(private readonly options: StateOptions) {
    const { client, clock, namespace, onError } = options;
    this.factory = new InformerFactory({ client, clock, onError });
    this.mirror = this.factory.informer({
      resource: configMaps,
      selection: { namespace, labelSelector: `${recommended.name}=${component}` },
      transform: withoutWeight,
      indexers,
    });
    const heard = (object: LiveObject): void => {
      for (const listener of this.listeners) listener(object);
    };
    this.mirror.addHandler({ added: heard, updated: (_, after) => heard(after), deleted: heard });
  }

  /** Starts the mirror; fulfilled when it holds everything. */
  async start(signal?: AbortSignal): Promise<void> {
    this.factory.start();
    await this.factory.waitForSync(signal);
  }

  stop(): Promise<void> {
    return this.factory.stop();
  }

  hasSynced(): boolean {
    return this.factory.hasSynced();
  }

  /** Calls back with each object that changes; gives what ends that. */
  onChange(listener: (change: { readonly project: string; readonly record?: DeploymentRecord }) => void): () => void {
    const heard = (object: LiveObject): void => {
      const record = partOf(object) === 'deployment' ? recordIn(object) : undefined;
      listener({ project: object.metadata.annotations?.[projectLabel] ?? '', ...(record && { record }) });
    };
    this.listeners.add(heard);
    return () => this.listeners.delete(heard);
  }

  /** Projects that have a ledger. */
  projects(): readonly string[] {
    return this.mirror.store.list().flatMap((object) => (partOf(object) === 'ledger' ? [projectOf(object)] : []));
  }

  ledger(project: string): ProjectLedger {
    return ledgerIn(this.known(ledgerName(project)));
  }

  /** The record of a deployment; undefined where it was not begun or is forgotten. */
  record(id: string): DeploymentRecord | undefined {
    return recordIn(this.known(recordName(id)));
  }

  /** Asks the API server for a record. */
  async readRecord(id: string): Promise<DeploymentRecord | undefined> {
    const known = this.record(id);
    if (known) return known;
    return readRecord(dataOf(await this.read(recordName(id))));
  }

  /** Records of all projects, or of one, in no order. */
  records(project?: string): readonly DeploymentRecord[] {
    const objects =
      project === undefined ? this.mirror.store.list() : this.mirror.store.byIndex('project', labelOf(project));
    return objects.flatMap((object) => {
      if (partOf(object) !== 'deployment') return [];
      const record = recordIn(object);
      return record && (project === undefined || record.deployment.project === project) ? [record] : [];
    });
  }

  approval(digest: string, stage: string): Approval | undefined {
    const text = dataOf(this.known(approvalName(digest, stage)))?.['approval'];
    return text === undefined ? undefined : (JSON.parse(text) as Approval);
  }

  /** Keeps an approval; that which was there stays. */
  async approve(project: string, approval: Approval): Promise<Approval> {
    const name = approvalName(approval.digest, approval.stage);
    const object = this.object(name, 'approval', project, { approval: JSON.stringify(approval) });
    try {
      this.mirror.offer(await this.options.client.create(object));
      return approval;
    } catch (error) {
      if (!isApiError(error, 409)) throw error;
      const found = await this.read(name);
      return JSON.parse(dataOf(found)?.['approval'] ?? 'null') as Approval;
    }
  }

  /**
   * Changes a ledger: what `change` makes of the newest one is written unless somebody else wrote meanwhile; then it is
   * asked again. It is called with a ledger that no write of anybody has passed.
   */
  async changeLedger<T>(
    project: string,
    change: (ledger: ProjectLedger) => LedgerChange<T> | Promise<LedgerChange<T>>,
  ): Promise<T> {
    const name = ledgerName(project);
    let known = this.known(name);
    for (let attempt = 1; ; attempt++) {
      const { ledger, result } = await change(ledgerIn(known));
      if (!ledger) return result;
      try {
        this.mirror.offer(
          await this.write(this.object(name, 'ledger', project, { ledger: JSON.stringify(ledger) }), known),
        );
        return result;
      } catch (error) {
        if (!isApiError(error, 409, 404) || attempt >= attempts) throw error;
        known = await this.read(name);
      }
    }
  }

  /** Keeps a record; throws `Outdated` where it is not the one that `before` was read as. */
  async keep(record: DeploymentRecord, before: DeploymentRecord | undefined): Promise<void> {
    const { id, project } = record.deployment;
    const name = recordName(id);
    const known = before ? this.known(name) : undefined;
    if (before && !known) throw new Outdated(`the record of deployment ${id} is gone`);
    // What another process wrote since may be known here already: then its version is no precondition that holds.
    if (before && numberOf(recordIn(known)) !== numberOf(before))
      throw new Outdated(`the record of deployment ${id} was written by another process`);
    try {
      this.mirror.offer(await this.write(this.object(name, 'deployment', project, recordTexts(record)), known));
    } catch (error) {
      if (!isApiError(error, 409, 404)) throw error;
      const live = await this.read(name);
      if (live) this.mirror.offer(live);
      throw new Outdated(`the record of deployment ${id} was written by another process`, { cause: error });
    }
  }

  /** Removes a record for good. */
  async forget(id: string): Promise<void> {
    const { client, namespace } = this.options;
    await client.remove(configMaps, { name: recordName(id), namespace });
  }

  private known(name: string): LiveObject | undefined {
    return this.mirror.store.get(`${this.options.namespace}/${name}`);
  }

  private read(name: string): Promise<LiveObject | undefined> {
    const { client, namespace } = this.options;
    return client.get(configMaps, { name, namespace });
  }

  private write(object: SentObject, before: LiveObject | undefined): Promise<LiveObject> {
    const { client } = this.options;
    if (!before) return client.create(object);
    const { uid, resourceVersion } = before.metadata;
    return client.replace({ ...object, metadata: { ...object.metadata, uid, resourceVersion } } as SentObject);
  }

  private object(name: string, part: string, project: string, data: Readonly<Record<string, string>>): SentObject {
    const labels = {
      [recommended.name]: component,
      [recommended.managedBy]: manager,
      [partLabel]: part,
      [projectLabel]: labelOf(project),
    };
    const metadata = { name, namespace: this.options.namespace, labels, annotations: { [projectLabel]: project } };
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
  }
}

const partOf = (object: LiveObject): string | undefined => object.metadata.labels?.[partLabel];
const projectOf = (object: LiveObject): string => object.metadata.annotations?.[projectLabel] ?? '';
const dataOf = (object: LiveObject | undefined): Readonly<Record<string, string>> | undefined =>
  object?.['data'] as Readonly<Record<string, string>> | undefined;
const recordName = (id: string): string => `deployment-${id}`;
const ledgerName = (project: string): string => `ledger-${project}`;
const approvalName = (digest: string, stage: string): string =>
  `approval-${shortHash(`${digest}/${stage}`)}-${digest.slice(7, 23)}`;

/** What was read of objects, which never change: each is asked for again and again. */
const readRecords = new WeakMap<LiveObject, { readonly record: DeploymentRecord | undefined }>();
const readLedgers = new WeakMap<LiveObject, { readonly ledger: ProjectLedger | undefined }>();

function recordIn(object: LiveObject | undefined): DeploymentRecord | undefined {
  if (!object) return undefined;
  const read = readRecords.get(object) ?? { record: readRecord(dataOf(object)) };
  readRecords.set(object, read);
  return read.record;
}

/** Number of the last thing that happened; every write of a record has a higher one. */
const numberOf = (record: DeploymentRecord | undefined): number => record?.events.at(-1)?.number ?? 0;

function ledgerIn(object: LiveObject | undefined): ProjectLedger {
  if (!object) return emptyLedger;
  const read = readLedgers.get(object) ?? { ledger: readLedger(dataOf(object)?.['ledger']) };
  readLedgers.set(object, read);
  const { ledger } = read;
  if (!ledger)
    throw new Error(
      `ConfigMap ${object.metadata.name} holds no ledger; mend it, or delete it while nothing is under way`,
    );
  return ledger;
}
