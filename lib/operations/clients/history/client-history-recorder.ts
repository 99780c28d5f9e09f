import { type ClientDay, type ClientUseName, type HistoryWriter, zeroClientSum } from '../../../history';
import { boundedName, serviceAccountOf } from '../../../kube';
import { type ClientRequest, type ApiClientName } from '../client-request';
import { type PracticeFinding } from '../practice-findings';
import { type GatewayDelta } from './gateway-deltas';
import { addReads, noReads, type ReadSum } from './peak-meter';
import { ShareCounts } from './share-counts';

/** What a recorder works with. */
export interface ClientHistoryOptions {
  readonly writer: HistoryWriter<ClientDay>;
  /** Name of the API server that sends its events: the same after a restart, and of no other monitor. */
  readonly server: string;
  /** User name of the gateway. */
  readonly gateway: string;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
}

/** Maximum projects; requests of further ones belong to none. */
const maxProjects = 2000;
/** Maximum bytes of a name, and characters of the text of a violation: clients choose them. */
const [maxNameBytes, maxMessageLength] = [100, 1000];
const reads = new Set(['get', 'list', 'watch']);
/** Subresources that no budget counts. */
const uncounted = /\/(log|exec|attach|portforward|proxy)$/;
const dayAt = (time: number): number => Math.floor(time / 86_400_000);

/** Counts the requests of clients by project and day, and stores them in the history. */
export class ClientHistoryRecorder {
  private readonly counts = new Map<string, ShareCounts>();
  /** Number of counted shares by project. */
  private readonly shares = new Map<string, number>();

  constructor(private readonly options: ClientHistoryOptions) {}

  /** Counts a request from the audit log. Reads that came through a gateway are measured there. */
  addRequest({ client, phase, verb, resource, receivedAt, seconds, sender, ...request }: ClientRequest): void {
    if (phase === 'ended') return;
    const counts = this.countsOf(client.project, receivedAt, `server/${this.options.server}`);
    if (!counts) return;
    const bytes = request.listed?.bytes ?? 0;
    counts.add(useName(client, verb, resource), {
      ...zeroClientSum(),
      requests: 1,
      errors: request.code >= 400 ? 1 : 0,
      watches: phase === 'started' && verb === 'watch' ? 1 : 0,
      bytes,
      seatSeconds: request.seatSeconds,
    });
    const account = budgetAccount(client);
    if (account === undefined || sender === this.options.gateway || !isBudgetRead(verb, resource)) return;
    for (const name of ['', account])
      counts.meterOf(name)?.addRead(receivedAt, phase === 'complete' ? seconds : 0, bytes);
  }

  /** Counts what clients sent to a gateway. Of requests that it passed on, which the audit log has, only the bytes are added. */
  addGateway(
    { gateway, seconds, figures }: GatewayDelta,
    clientOf: (account: string, userAgent: string) => ApiClientName,
  ): void {
    const now = this.options.now();
    const spans = new Map<ShareCounts, Map<string, ReadSum>>();
    for (const { account, userAgent, verb, resource, servedFrom, requests, sums } of figures) {
      if (requests === 0 && sums.bytes === 0) continue;
      const client = clientOf(account, userAgent);
      const counts = this.countsOf(client.project, now, `gateway/${gateway}/${this.options.server}`);
      if (!counts) continue;
      const isInLog = servedFrom === 'proxied';
      const { errors, watches, cached, bytes } = sums;
      counts.add(useName(client, verb, resource), {
        ...zeroClientSum(),
        ...(!isInLog && { requests, errors, watches, cached }),
        bytes,
      });
      const name = budgetAccount(client);
      if (name === undefined || !isBudgetRead(verb, resource)) continue;
      const read = { requests, seconds: verb === 'watch' ? 0 : sums.seconds, bytes };
      addTo(spans, counts, ['', name], read);
    }
    for (const [counts, sumByAccount] of spans)
      for (const [account, sum] of sumByAccount) counts.meterOf(account)?.addSpan(seconds, sum);
  }

  /** Stores what was counted, with the practices that clients violated. Throws if a project could not be stored; it is tried again with the next call. */
  async flush(findings: readonly PracticeFinding[]): Promise<void> {
    const now = this.options.now();
    for (const finding of findings) this.addFinding(finding, now);
    const byProject = new Map<string, ShareCounts[]>();
    for (const counts of this.counts.values())
      if (counts.isChanged) byProject.set(counts.project, [...(byProject.get(counts.project) ?? []), counts]);
    const failures: unknown[] = [];
    for (const [project, changed] of byProject)
      try {
        await this.store(project, changed);
      } catch (error) {
        failures.push(error);
      }
    for (const [key, { project, day, isChanged }] of this.counts)
      if (day < dayAt(now) - 1 || (day < dayAt(now) && !isChanged)) this.forget(key, project);
    if (failures.length > 0) throw failures[0];
  }

  private forget(key: string, project: string): void {
    this.counts.delete(key);
    const shares = (this.shares.get(project) ?? 1) - 1;
    if (shares > 0) this.shares.set(project, shares);
    else this.shares.delete(project);
  }

  private async store(project: string, changed: readonly ShareCounts[]): Promise<void> {
    for (const counts of changed) counts.isChanged = false;
    try {
      await this.options.writer.update(project, (days) => {
        for (const counts of changed) {
          const stored = days.find(({ day }) => day === counts.day)?.shares;
          counts.continueFrom(stored?.find(({ source }) => source === counts.source));
        }
        return [...days, ...changed.map((counts) => ({ day: counts.day, shares: [counts.share()] }))];
      });
    } catch (error) {
      for (const counts of changed) counts.isChanged = true;
      throw error;
    }
  }

  private addFinding(finding: PracticeFinding, now: number): void {
    const { practice, project, account, userAgent, verb, resource, namespace, requests, seatSeconds, message } =
      finding;
    const counts = this.countsOf(project, now, `server/${this.options.server}`);
    counts?.addViolation({
      practice,
      ...useName({ account, userAgent }, verb, resource),
      namespace: bounded(namespace),
      requests,
      seatSeconds,
      message: message.slice(0, maxMessageLength),
    });
  }

  /** Returns the counts of a day; undefined for one whose sources are summed already. */
  private countsOf(project: string, at: number, source: string): ShareCounts | undefined {
    const today = dayAt(this.options.now());
    const day = Math.min(dayAt(at), today);
    if (day < today - 1) return undefined;
    const key = `${day} ${source} ${project}`;
    const known = this.counts.get(key);
    if (known) return known;
    const shares = this.shares.get(project) ?? 0;
    if (shares === 0 && this.shares.size >= maxProjects && project !== '') return this.countsOf('', at, source);
    this.shares.set(project, shares + 1);
    const counts = new ShareCounts(project, day, source);
    this.counts.set(key, counts);
    return counts;
  }
}

function addTo(
  spans: Map<ShareCounts, Map<string, ReadSum>>,
  counts: ShareCounts,
  accounts: readonly string[],
  read: ReadSum,
): void {
  const sums = spans.get(counts) ?? new Map<string, ReadSum>();
  spans.set(counts, sums);
  for (const account of accounts) sums.set(account, addReads(sums.get(account) ?? noReads, read));
}

const isBudgetRead = (verb: string, resource: string): boolean =>
  reads.has(verb) && !resource.startsWith('/') && !uncounted.test(resource);

/** Returns the name of a service account; the budgets of a Project count no others. */
function budgetAccount({ account }: Pick<ApiClientName, 'account'>): string | undefined {
  const name = serviceAccountOf(account)?.name;
  return name === undefined ? undefined : bounded(name);
}

const bounded = (name: string): string => boundedName(name, maxNameBytes);

const useName = (
  { account, userAgent }: Pick<ApiClientName, 'account' | 'userAgent'>,
  verb: string,
  resource: string,
): ClientUseName => ({
  account: bounded(account),
  userAgent: bounded(userAgent),
  verb: bounded(verb),
  resource: bounded(resource),
});
