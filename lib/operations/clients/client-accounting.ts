import { type AuditEventReceiver } from '../audit/audit-lines';
import { type EventFields } from '../audit/event-fields';
import { readApiRequest } from './api-request';
import { ClientCounts, type ClientRow, type ClientSums, zeroSums } from './client-counts';
import { ClientOwners } from './client-owners';
import {
  type ApiClientName,
  attributeRequest,
  type ClientRequest,
  clientProjectOf,
  shownAccount,
} from './client-request';
import { selectsAll } from './list-query';
import { type GatewayFigures } from './gateway-figures';
import { normalizeUserAgent } from './user-agent';
import { PracticeChecks, type PracticeFinding } from './practice-findings';
import { type PracticeContext } from './practices';
import { type ResourceStats, type StatsByResource } from './request-cost';

/** Client, verb and resource of a request. */
export type ClientRequestName = ApiClientName & Pick<ClientRow, 'verb' | 'resource'>;

/** Options of `ClientAccounting`. */
export interface ClientAccountingOptions {
  /** Projects, as manifests or as objects of the cluster. @default - none, so that no client has a Project */
  readonly projects?: readonly unknown[];
  /** Stored objects by resource. @default - learned from list responses in the log; otherwise a list counts as one seat */
  readonly stats?: StatsByResource;
  /** User name of the gateway. @default - none, so that no client is reported for direct access */
  readonly gateway?: string;
  /** Namespaces whose service accounts may use the API server directly. @default - kube-system */
  readonly directNamespaces?: readonly string[];
  /** Called for each counted request, with the requests that its row certainly has. @default - not called */
  readonly onRequest?: (request: ClientRequest, minRequests: number) => void;
  /** Returns whether to count a request. @default - all */
  readonly filter?: (request: ClientRequestName) => boolean;
}

/** What the clients of an API server sent, what it cost, and which practices they violate. */
export interface ClientReport {
  /** Number of requests, each counted once. */
  readonly requests: number;
  /** Lines without an event. */
  readonly unreadable: number;
  /** Time of the first and the last request, in milliseconds since 1970; 0 without requests. */
  readonly from: number;
  readonly to: number;
  readonly total: Readonly<ClientSums>;
  /** Maximum error of the requests of a row. */
  readonly bound: number;
  /** By falling cost. */
  readonly rows: readonly ClientRow[];
  readonly findings: readonly PracticeFinding[];
}

/** Accounts the requests of an audit log to clients, in bounded memory. */
export class ClientAccounting implements AuditEventReceiver {
  private readonly counts = new ClientCounts();
  private owners: ClientOwners;
  private directNamespaces: readonly string[];
  private checks: PracticeChecks;
  private earlierChecks: PracticeChecks | undefined;
  private stats: StatsByResource | undefined;
  private readonly learned = new Map<string, ResourceStats>();
  private readonly filter: ClientAccountingOptions['filter'];
  private unreadable = 0;
  private from = 0;
  private to = 0;

  constructor(private readonly options: ClientAccountingOptions = {}) {
    this.owners = new ClientOwners(options.projects ?? []);
    this.directNamespaces = options.directNamespaces ?? ['kube-system'];
    this.stats = options.stats;
    this.filter = options.filter;
    this.checks = new PracticeChecks(this.practiceContext());
  }

  private practiceContext(): PracticeContext {
    const { gateway } = this.options;
    return { ...(gateway !== undefined && { gateway }), directNamespaces: new Set(this.directNamespaces) };
  }

  /**
   * Replaces the Projects, the sizes of resources and the namespaces that may be direct, which change while the accounting
   * runs. Requests until then keep their attribution.
   */
  update(projects: readonly unknown[], stats: StatsByResource, directNamespaces: readonly string[]): void {
    this.owners = new ClientOwners(projects);
    if (stats.size > 0) this.stats = stats;
    this.directNamespaces = directNamespaces;
    this.checks.update(this.practiceContext());
  }

  /** Starts a period of the practices; findings are those of this period and of the one before. */
  startPeriod(): void {
    this.earlierChecks = this.checks;
    this.checks = new PracticeChecks(this.practiceContext());
  }

  addEvent(event: EventFields, bytes: number): void {
    const read = readApiRequest(event, bytes);
    if (!read) return;
    const request = attributeRequest(read, this.owners, this.stats ?? this.learned);
    const { resource } = request;
    this.learn(request);
    if (this.filter && !this.filter({ ...request.client, verb: request.verb, resource })) return;
    const minRequests = this.counts.add(request);
    this.options.onRequest?.(request, minRequests);
    this.checks.add(request);
    if (request.phase === 'ended' || request.receivedAt === 0) return;
    this.from = this.from === 0 ? request.receivedAt : Math.min(this.from, request.receivedAt);
    this.to = Math.max(this.to, request.receivedAt);
  }

  /** Learns the size of a resource from a list of everything, if its response is in the log. */
  private learn({ resource, namespace, listed, query }: ClientRequest): void {
    if (!listed || namespace !== '' || query.limit > 0 || !selectsAll(query)) return;
    if (this.learned.has(resource) || this.learned.size < maxLearned)
      this.learned.set(resource, statsOf(listed.objects, listed.bytes));
  }

  /**
   * Adds the requests that a gateway counted. Those that it passed on are in the audit log as well: if `hasLog`, only
   * their bytes are added.
   */
  addGateway(figures: readonly GatewayFigures[], hasLog: boolean): void {
    for (const figure of figures) {
      const { verb, resource, servedFrom } = figure;
      const row = { ...this.clientOf(figure.account, figure.userAgent), verb, resource };
      if (this.filter && !this.filter(row)) continue;
      const isInLog = hasLog && servedFrom === 'proxied';
      const sums = isInLog ? { ...zeroSums(), bytes: figure.sums.bytes } : figure.sums;
      this.counts.addSums({ ...row, requests: isInLog ? 0 : figure.requests }, sums);
    }
  }

  /** Returns the client that an account and a user agent name, where its groups are not known. */
  clientOf(account: string, userAgent: string): ApiClientName {
    return {
      project: clientProjectOf(account, this.owners.ownerOf(account, [])),
      account: shownAccount(account),
      userAgent: normalizeUserAgent(userAgent),
    };
  }

  addUnreadable(): void {
    this.unreadable += 1;
  }

  /** Number of lines without an event. */
  get unreadableLines(): number {
    return this.unreadable;
  }

  /** Returns the findings of the current period, and those of the one before that it has not yet. */
  findings(): readonly PracticeFinding[] {
    const found = new Map<string, PracticeFinding>();
    for (const finding of [...(this.earlierChecks?.findings() ?? []), ...this.checks.findings()])
      found.set(findingKey(finding), finding);
    return [...found.values()];
  }

  /** Returns the requests until now. */
  report(): ClientReport {
    const { counts, unreadable, from, to } = this;
    return {
      requests: counts.requests,
      unreadable,
      from,
      to,
      total: { ...counts.total },
      bound: counts.bound,
      rows: counts.rows(),
      findings: this.findings(),
    };
  }
}

const findingKey = ({ practice, project, account, userAgent, verb, resource, namespace }: PracticeFinding): string =>
  [practice, project, account, userAgent, verb, resource, namespace].join('\u0000');

/** Maximum resources whose size is learned. */
const maxLearned = 5000;

const statsOf = (objects: number, bytes: number): ResourceStats => ({
  objects,
  averageBytes: objects === 0 ? 0 : bytes / objects,
});
