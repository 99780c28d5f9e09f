import { type Approval } from '../../contract';
import { shortHash } from '../../expand';
import { isApiError, type LiveObject } from '../../kube';
import { type DeploymentRecord } from './deployment-record';
import { dataOf, OwnConfigMaps, partOf, projectOf, type StateOptions } from './own-config-maps';
import { readLedger, type LedgerEntry, type ProjectLedger } from './project-ledger';
import { rebuiltLedger } from './rebuilt-ledger';
import { readRecord, recordTexts } from './record-texts';

/** How long the others may write before one's own write is given up. */
const attempts = 20;

/** What a change of a ledger comes to: a ledger to write, or none, and what the caller wants to know. */
interface LedgerChange<T> {
  readonly ledger?: ProjectLedger;
  readonly result: T;
}

/** Thrown on a write conflict; the caller reads the new state. */
export class Outdated extends Error {
  override readonly name = 'Outdated' as const;
}

/**
 * All that the service remembers, as ConfigMaps of its own namespace: one for each deployment, one ledger for each
 * project, one for each approval.
 */
export class ConfigMapState {
  private readonly maps: OwnConfigMaps;
  /** The ledgers that this process wrote last, by the names of their objects: they need not be read again. */
  private readonly written = new Map<string, { readonly text: string; readonly ledger: ProjectLedger }>();

  constructor(options: StateOptions) {
    this.maps = new OwnConfigMaps(options);
  }

  /** Starts to mirror it; fulfilled when everything is known. */
  start(signal?: AbortSignal): Promise<void> {
    return this.maps.start(signal);
  }

  stop(): Promise<void> {
    return this.maps.stop();
  }

  hasSynced(): boolean {
    return this.maps.hasSynced();
  }

  /** Calls back with each object that changes; gives what ends that. */
  onChange(listener: (change: { readonly project: string; readonly record?: DeploymentRecord }) => void): () => void {
    return this.maps.onChange((object) => {
      const record = recordIn(object);
      listener({ project: projectOf(object), ...(record && { record }) });
    });
  }

  /** Projects that have a ledger, or records from which it can be made again. */
  projects(): readonly string[] {
    const ordered = this.maps.allKnown().filter((object) => partOf(object) !== 'approval');
    return [...new Set(ordered.map(projectOf))];
  }

  ledger(project: string): ProjectLedger {
    return this.ledgerIn(this.maps.known(ledgerName(project))) ?? rebuiltLedger(this.records(project));
  }

  /** Accepted deployments of a project that have not ended, to look at; of a ledger that is damaged none is known. */
  underWay(project: string): readonly LedgerEntry[] {
    const object = this.maps.known(ledgerName(project));
    return (object ? this.soundIn(object) : rebuiltLedger(this.records(project)))?.open ?? [];
  }

  /** An accepted deployment that has not ended, with its project; undefined where no ledger has it. */
  opened(id: string): { readonly project: string; readonly entry: LedgerEntry } | undefined {
    for (const object of this.maps.allOf('ledger')) {
      // Parses lazily, and a corrupt ledger does not affect other projects.
      const isNamed = dataOf(object)?.['ledger']?.includes(id) === true;
      const entry = isNamed ? this.ledgerIn(object)?.open.find((one) => one.id === id) : undefined;
      if (entry) return { project: projectOf(object), entry };
    }
    return undefined;
  }

  /** The record of a deployment; undefined where it was not begun or is forgotten. */
  record(id: string): DeploymentRecord | undefined {
    return recordIn(this.maps.known(recordName(id)));
  }

  /** Records of all projects, or of one, in no order. */
  records(project?: string): readonly DeploymentRecord[] {
    return recordsIn(this.maps.allKnown(project));
  }

  approval(digest: string, stage: string): Approval | undefined {
    return approvalIn(this.maps.known(approvalName(digest, stage)));
  }

  /** Keeps an approval; that which was there stays. */
  async approve(project: string, approval: Approval): Promise<Approval> {
    const name = approvalName(approval.digest, approval.stage);
    const data = { approval: JSON.stringify(approval) };
    try {
      await this.maps.write({ name, part: 'approval', project, data }, undefined);
      return approval;
    } catch (error) {
      if (!isApiError(error, 409)) throw error;
      const found = approvalIn(await this.maps.read(name));
      if (!found) throw error;
      return found;
    }
  }

  /**
   * Changes a ledger with optimistic concurrency: on a write conflict, `change` is called again with the latest ledger.
   */
  async changeLedger<T>(
    project: string,
    change: (ledger: ProjectLedger) => LedgerChange<T> | Promise<LedgerChange<T>>,
  ): Promise<T> {
    const name = ledgerName(project);
    let known = this.maps.known(name);
    let before = this.ledgerIn(known) ?? (await this.begunLedger(project));
    for (let attempt = 1; ; attempt++) {
      const { ledger, result } = await change(before);
      if (!ledger) return result;
      try {
        const text = JSON.stringify(ledger);
        this.written.set(name, { text, ledger });
        await this.maps.write({ name, part: 'ledger', project, data: { ledger: text } }, known);
        return result;
      } catch (error) {
        if (!isApiError(error, 409, 404) || attempt >= attempts) throw error;
        known = await this.maps.read(name);
        before = this.ledgerIn(known) ?? (await this.rereadLedger(project));
      }
    }
  }

  /** Keeps a record; throws `Outdated` where it is not the one that `before` was read as. */
  async keep(record: DeploymentRecord, before: DeploymentRecord | undefined): Promise<void> {
    const { id, project } = record.deployment;
    const name = recordName(id);
    const known = before ? this.maps.known(name) : undefined;
    if (before && !known) throw new Outdated(`the record of deployment ${id} is gone`);
    // The cache may already contain a newer write of another process, whose version must not be the precondition.
    if (before && numberOf(recordIn(known)) !== numberOf(before))
      throw new Outdated(`the record of deployment ${id} was written by another process`);
    try {
      await this.maps.write({ name, part: 'deployment', project, data: recordTexts(record) }, known);
    } catch (error) {
      if (!isApiError(error, 409, 404)) throw error;
      await this.maps.read(name);
      throw new Outdated(`the record of deployment ${id} was written by another process`, { cause: error });
    }
  }

  /** Removes a record for good. */
  forget(id: string): Promise<void> {
    return this.maps.remove(recordName(id));
  }

  private ledgerIn(object: LiveObject | undefined): ProjectLedger | undefined {
    if (!object) return undefined;
    const ledger = this.soundIn(object);
    if (ledger) return ledger;
    throw new Error(
      `ConfigMap ${object.metadata.name} has no ledger; fix it, or delete it while no deployment is in progress: it is created again from stored deployments`,
    );
  }

  private soundIn(object: LiveObject): ProjectLedger | undefined {
    const text = dataOf(object)?.['ledger'];
    const written = this.written.get(object.metadata.name);
    return text !== undefined && written?.text === text ? written.ledger : readingOf(object, text);
  }

  /** The ledger of a project that has none here: an empty one where nothing was ever begun, as far as is known. */
  private async begunLedger(project: string): Promise<ProjectLedger> {
    return this.records(project).length === 0 ? rebuiltLedger([]) : this.rereadLedger(project);
  }

  /** The ledger of a project that has none any more. The mirror may be late, and a number must never be given twice. */
  private async rereadLedger(project: string): Promise<ProjectLedger> {
    return rebuiltLedger(recordsIn(await this.maps.readAll(project)));
  }
}

const recordName = (id: string): string => `deployment-${id}`;
const ledgerName = (project: string): string => `ledger-${project}`;
const approvalName = (digest: string, stage: string): string =>
  `approval-${shortHash(`${digest}/${stage}`)}-${digest.slice(7, 23)}`;

/** What was read of objects, which never change: each is asked for again and again. */
const readRecords = new WeakMap<LiveObject, { readonly record: DeploymentRecord | undefined }>();
const readLedgers = new WeakMap<LiveObject, { readonly ledger: ProjectLedger | undefined }>();

function recordIn(object: LiveObject | undefined): DeploymentRecord | undefined {
  if (!object || partOf(object) !== 'deployment') return undefined;
  const read = readRecords.get(object) ?? { record: readRecord(dataOf(object)) };
  readRecords.set(object, read);
  return read.record;
}

const recordsIn = (objects: readonly LiveObject[]): readonly DeploymentRecord[] =>
  objects.flatMap((object) => recordIn(object) ?? []);

/** Number of the last thing that happened; every write of a record has a higher one. */
const numberOf = (record: DeploymentRecord | undefined): number => record?.events.at(-1)?.number ?? 0;

function readingOf(object: LiveObject, text: string | undefined): ProjectLedger | undefined {
  const read = readLedgers.get(object) ?? { ledger: readLedger(text) };
  readLedgers.set(object, read);
  return read.ledger;
}

function approvalIn(object: LiveObject | undefined): Approval | undefined {
  const text = dataOf(object)?.['approval'];
  return text === undefined ? undefined : (JSON.parse(text) as Approval);
}
