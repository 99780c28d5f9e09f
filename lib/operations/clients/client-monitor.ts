import { escapeLabel } from '../audit/audit-metrics';
import { type AuditSinkContent } from '../audit/audit-sink';
import { type Clock } from '../../process';
import { ClientAccounting, type ClientAccountingOptions } from './client-accounting';
import { addRequest, type ClientSums, zeroSums } from './client-counts';
import { type ClientRequest } from './client-request';
import { type ClientHistoryRecorder } from './history/client-history-recorder';

/** Maximum series of each metric of requests; all others are summed as `other`. */
const maxRows = 2000;
/** Minimum requests for series of its own, and their minimum share of all. */
const [minRequests, minShare] = [20, 1 / 2000];
/** Maximum clients that violate a practice in metrics. */
const maxFindings = 200;
/** Milliseconds after which the practices are checked again; findings last for up to two periods. */
const period = 3_600_000;

const labelNames = ['project', 'account', 'user_agent', 'verb', 'resource'] as const;
const separator = '\u0000';
const other = labelNames.map(() => 'other').join(separator);

interface Row {
  requests: number;
  readonly sums: ClientSums;
}

/** Accounts requests while they are received, and exports them as metrics with a bounded number of series. */
export class ClientMonitor implements AuditSinkContent {
  readonly receiver: ClientAccounting;
  private readonly rows = new Map<string, Row>();
  private requests = 0;
  private periodStart: number;

  constructor(
    options: ClientAccountingOptions,
    private readonly clock: Clock,
    private readonly recorder?: Pick<ClientHistoryRecorder, 'addRequest'>,
  ) {
    this.receiver = new ClientAccounting({ ...options, onRequest: (request, count) => this.add(request, count) });
    this.periodStart = clock.now();
  }

  private add(request: ClientRequest, count: number): void {
    if (request.phase !== 'ended') this.requests += 1;
    this.recorder?.addRequest(request);
    const { project, account, userAgent } = request.client;
    const row = this.rowOf([project, account, userAgent, request.verb, request.resource].join(separator), count);
    if (request.phase !== 'ended') row.requests += 1;
    addRequest(row.sums, request);
    if (this.clock.now() - this.periodStart < period) return;
    this.periodStart = this.clock.now();
    this.receiver.startPeriod();
  }

  /** Returns the row of a key; one is added once its requests certainly exceed the thresholds, and never removed. */
  private rowOf(key: string, count: number): Row {
    const known = this.rows.get(key);
    if (known) return known;
    const isLarge = count >= Math.max(minRequests, minShare * this.requests);
    if (key !== other && (!isLarge || this.rows.size >= maxRows)) return this.rowOf(other, 0);
    const row: Row = { requests: 0, sums: zeroSums() };
    this.rows.set(key, row);
    return row;
  }

  /** Returns the largest rows, and the clients that violate a practice. */
  top(rows: number): unknown {
    const report = this.receiver.report();
    return { ...report, rows: report.rows.slice(0, rows) };
  }

  /** Returns the metrics in the Prometheus text format. */
  metrics(): string {
    const findings = this.receiver.findings().slice(0, maxFindings);
    return [
      ...series.map(([name, help, value]) => this.seriesText(name, help, value)),
      '# HELP pinion_client_findings Requests of a client that violates a practice, in the last one to two hours.\n',
      '# TYPE pinion_client_findings gauge\n',
      ...findings.map(({ practice, project, account, userAgent, onCall, verb, resource, namespace, requests }) => {
        const labels = {
          practice,
          project,
          account,
          user_agent: userAgent,
          on_call: onCall,
          verb,
          resource,
          namespace,
        };
        return `pinion_client_findings{${labelText(Object.entries(labels))}} ${requests}\n`;
      }),
      '# HELP pinion_client_unreadable_total Audit log lines without an event.\n',
      '# TYPE pinion_client_unreadable_total counter\n',
      `pinion_client_unreadable_total ${this.receiver.unreadableLines}\n`,
    ].join('');
  }

  private seriesText(name: string, help: string, value: (row: Row) => number): string {
    const lines = [...this.rows].map(([key, row]) => {
      const values = key.split(separator);
      const labels = labelText(labelNames.map((label, index) => [label, values[index] ?? '']));
      return `${name}{${labels}} ${value(row)}\n`;
    });
    return `# HELP ${name} ${help}\n# TYPE ${name} counter\n${lines.join('')}`;
  }
}

const labelText = (labels: readonly (readonly [string, string])[]): string =>
  labels.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',');

const series: readonly (readonly [string, string, (row: Row) => number])[] = [
  ['pinion_client_requests_total', 'Requests to the API server, including started watches.', (row) => row.requests],
  ['pinion_client_errors_total', 'Responses with a status of 400 or above.', ({ sums }) => sums.errors],
  [
    'pinion_client_request_seconds_total',
    'Duration of requests, excluding long-running ones.',
    ({ sums }) => sums.seconds,
  ],
  ['pinion_client_seat_seconds_total', 'Cost: seats of flow control times seconds.', ({ sums }) => sums.seatSeconds],
];
