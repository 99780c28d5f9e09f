import { isDeepStrictEqual } from 'node:util';
import { type Approval } from '../../contract';
import { shortHash } from '../../expand';
import { isApiError, type LiveObject } from '../../kube';
import { type DeploymentRecord } from './deployment-record';
import { dataOf, OwnConfigMaps, partOf, projectOf, type StateOptions } from './own-config-maps';
import { readLedger, type LedgerEntry, type ProjectLedger } from './project-ledger';
import { rebuiltLedger } from './rebuilt-ledger';
import { readRecord, recordTexts } from './record-texts';

/** Maximum attempts of a write that conflicts with others. */
const maxAttempts = 20;

/** Result of changing a ledger: the ledger to write, if any, and a value for the caller. */
interface LedgerChange<T> {
  readonly ledger?: ProjectLedger;
  readonly result: T;
}

/** Thrown on a write conflict; the caller reads the new state. */
export class WriteConflictError extends Error {
  override readonly name = 'WriteConflictError' as const;
}

/** An approval with the role of its caller, and the groups of the stage's approvers that it had. */
export interface StoredApproval extends Approval {
  readonly groups?: readonly string[] | undefined;
  readonly role?: string | undefined;
}

/** Approvals that are stored of one version for one stage. */
const maxApprovals = 16;
/** Attempts to store an approval beside those that others store at the same time. */
const maxApprovalAttempts = 20;

/** A version has as many approvals for a stage as are stored. */
export class TooManyApprovalsError extends Error {
  override readonly name = 'TooManyApprovalsError' as const;
}

/**
 * State of the service in ConfigMaps of its namespace: one per deployment, one ledger per project, and one per
 * approved version of a stage.
 */
export class ConfigMapState {
  private readonly maps: OwnConfigMaps;
  /** Ledgers that this process wrote last, by object name, which need not be read again. */
  private readonly written = new Map<string, { readonly text: string; readonly ledger: ProjectLedger }>();

  constructor(options: StateOptions) {
    this.maps = new OwnConfigMaps(options);
  }

  /** Starts the cache; resolves when it is synced. */
  start(signal?: AbortSignal): Promise<void> {
    return this.maps.start(signal);
  }

  stop(): Promise<void> {
    return this.maps.stop();
  }

  hasSynced(): boolean {
    return this.maps.hasSynced();
  }

  /** Calls a listener with each changed object; returns a function that unsubscribes. */
  onChange(listener: (change: { readonly project: string; readonly record?: DeploymentRecord }) => void): () => void {
    return this.maps.onChange((object) => {
      const record = recordIn(object);
      listener({ project: projectOf(object), ...(record && { record }) });
    });
  }

  /** Returns the projects that have a ledger, or records from which it can be rebuilt. */
  projects(): readonly string[] {
    const ordered = this.maps.allKnown().filter((object) => partOf(object) !== 'approval');
    return [...new Set(ordered.map(projectOf))];
  }

  ledger(project: string): ProjectLedger {
    return this.ledgerIn(this.maps.known(ledgerName(project))) ?? rebuiltLedger(this.records(project));
  }

  /** Returns the accepted deployments of a project that have not ended; none if its ledger is corrupt. */
  inProgress(project: string): readonly LedgerEntry[] {
    const object = this.maps.known(ledgerName(project));
    return (object ? this.validLedgerIn(object) : rebuiltLedger(this.records(project)))?.open ?? [];
  }

  /** Returns an accepted deployment that has not ended, with its project; undefined if no ledger has it. */
  pendingEntry(id: string): { readonly project: string; readonly entry: LedgerEntry } | undefined {
    for (const object of this.maps.allOf('ledger')) {
      // Parses lazily, and a corrupt ledger does not affect other projects.
      const isNamed = dataOf(object)?.['ledger']?.includes(id) === true;
      const entry = isNamed ? this.ledgerIn(object)?.open.find((one) => one.id === id) : undefined;
      if (entry) return { project: projectOf(object), entry };
    }
    return undefined;
  }

  /** Returns the record of a deployment; undefined if it has not started or was deleted. */
  record(id: string): DeploymentRecord | undefined {
    return recordIn(this.maps.known(recordName(id)));
  }

  /** Returns the records of all projects, or of one, unordered. */
  records(project?: string): readonly DeploymentRecord[] {
    return recordsIn(this.maps.allKnown(project));
  }

  /** Returns the approvals of a version for a stage, the earliest first. */
  approvals(digest: string, stage: string): readonly StoredApproval[] {
    return approvalsIn(this.maps.known(approvalName(digest, stage)));
  }

  /**
   * Stores an approval, once for each caller; returns the stored one. Throws a `TooManyApprovalsError` beyond
   * `maxApprovals`.
   */
  async approve(project: string, approval: StoredApproval): Promise<Approval> {
    const name = approvalName(approval.digest, approval.stage);
    for (let attempt = 1; ; attempt++) {
      const known = attempt === 1 ? this.maps.known(name) : await this.maps.read(name);
      const before = approvalsIn(known);
      const own = before.find(({ approvedBy }) => isSameCaller(approvedBy, approval.approvedBy));
      // An approver who has other groups now approves again.
      if (own && isDeepStrictEqual(rightsOf(own), rightsOf(approval))) return publicPart(own);
      const others = before.filter((one) => one !== own);
      if (others.length >= maxApprovals) throw new TooManyApprovalsError(`has ${maxApprovals} approvals already`);
      const all = [...others, approval];
      // Earlier versions of the service read only the first one.
      const data = { approval: JSON.stringify(all[0]), approvals: JSON.stringify(all) };
      try {
        await this.maps.write({ name, part: 'approval', project, data }, known);
        return publicPart(approval);
      } catch (error) {
        if (!(isApiError(error, 409) || isApiError(error, 404)) || attempt >= maxApprovalAttempts) throw error;
      }
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
    let before = this.ledgerIn(known) ?? (await this.initialLedger(project));
    for (let attempt = 1; ; attempt++) {
      const { ledger, result } = await change(before);
      if (!ledger) return result;
      try {
        const text = JSON.stringify(ledger);
        this.written.set(name, { text, ledger });
        await this.maps.write({ name, part: 'ledger', project, data: { ledger: text } }, known);
        return result;
      } catch (error) {
        if (!isApiError(error, 409, 404) || attempt >= maxAttempts) throw error;
        known = await this.maps.read(name);
        before = this.ledgerIn(known) ?? (await this.rereadLedger(project));
      }
    }
  }

  /** Stores a record; throws `WriteConflictError` if the stored one is not `before`. */
  async save(record: DeploymentRecord, before: DeploymentRecord | undefined): Promise<void> {
    const { id, project } = record.deployment;
    const name = recordName(id);
    const known = before ? this.maps.known(name) : undefined;
    if (before && !known) throw new WriteConflictError(`the record of deployment ${id} was deleted`);
    // The cache may already contain a newer write of another process, whose version must not be the precondition.
    if (before && numberOf(recordIn(known)) !== numberOf(before))
      throw new WriteConflictError(`the record of deployment ${id} was written by another process`);
    try {
      await this.maps.write({ name, part: 'deployment', project, data: recordTexts(record) }, known);
    } catch (error) {
      if (!isApiError(error, 409, 404)) throw error;
      await this.maps.read(name);
      throw new WriteConflictError(`the record of deployment ${id} was written by another process`, { cause: error });
    }
  }

  /** Deletes a record. */
  deleteRecord(id: string): Promise<void> {
    return this.maps.remove(recordName(id));
  }

  private ledgerIn(object: LiveObject | undefined): ProjectLedger | undefined {
    if (!object) return undefined;
    const ledger = this.validLedgerIn(object);
    if (ledger) return ledger;
    throw new Error(
      `ConfigMap ${object.metadata.name} has no ledger; fix it, or delete it while no deployment is in progress: it is rebuilt from stored deployments`,
    );
  }

  private validLedgerIn(object: LiveObject): ProjectLedger | undefined {
    const text = dataOf(object)?.['ledger'];
    const written = this.written.get(object.metadata.name);
    return text !== undefined && written?.text === text ? written.ledger : parseCachedLedger(object, text);
  }

  /** Returns the ledger of a project without one: empty if it has no known deployments. */
  private async initialLedger(project: string): Promise<ProjectLedger> {
    return this.records(project).length === 0 ? rebuiltLedger([]) : this.rereadLedger(project);
  }

  /** Returns the ledger of a project that lost it. Reads uncached, because a sequence number must never be reused. */
  private async rereadLedger(project: string): Promise<ProjectLedger> {
    return rebuiltLedger(recordsIn(await this.maps.readAll(project)));
  }
}

const recordName = (id: string): string => `deployment-${id}`;
const ledgerName = (project: string): string => `ledger-${project}`;
const approvalName = (digest: string, stage: string): string =>
  `approval-${shortHash(`${digest}/${stage}`)}-${digest.slice(7, 23)}`;

/** Parsed records of objects, which are immutable and requested often. */
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

/** Returns the number of the last event; every write of a record has a higher one. */
const numberOf = (record: DeploymentRecord | undefined): number => record?.events.at(-1)?.number ?? 0;

function parseCachedLedger(object: LiveObject, text: string | undefined): ProjectLedger | undefined {
  const read = readLedgers.get(object) ?? { ledger: readLedger(text) };
  readLedgers.set(object, read);
  return read.ledger;
}

function approvalsIn(object: LiveObject | undefined): readonly StoredApproval[] {
  const { approval, approvals } = dataOf(object) ?? {};
  if (approvals !== undefined) return JSON.parse(approvals) as readonly StoredApproval[];
  return approval === undefined ? [] : [JSON.parse(approval) as StoredApproval];
}

const isSameCaller = (one: Approval['approvedBy'], other: Approval['approvedBy']): boolean =>
  one.subject === other.subject && one.issuer === other.issuer;

const rightsOf = ({ groups = [], role }: StoredApproval) => ({ groups, role });
const publicPart = ({ groups: _, role: __, ...approval }: StoredApproval): Approval => approval;
