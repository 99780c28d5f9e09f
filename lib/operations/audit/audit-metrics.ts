import { type AuditRecord } from './audit-record';
import { type AuditCounts, namesOf } from './audit-counts';

/** Maximum rows of metrics; all others are summed as `other`. */
const maxRows = 1000;
/** Minimum share of all requests for a row of its own. */
const minShare = 1 / 1000;
/** Minimum requests for a row of its own, because initially every share is large. */
const minRequests = 20;

interface Row {
  requests: number;
  seconds: number;
  errors: number;
  wholeLists: number;
  objects: number;
  bytes: number;
}

const other = ['other', 'other', 'other'].join('\u0000');

/** Audit metrics with a bounded number of label values: a row is added once it certainly exceeds the thresholds, and is never removed. */
export class AuditMetrics {
  private readonly rows = new Map<string, Row>();

  constructor(private readonly counts: AuditCounts) {}

  /** Counts a request. */
  add(record: AuditRecord): void {
    const { key, count, error } = this.counts.add(record);
    const row = this.rowOf(key, count - error);
    row.requests += 1;
    row.seconds += record.seconds;
    row.errors += record.code >= 400 ? 1 : 0;
    row.wholeLists += record.isWholeList ? 1 : 0;
    row.objects += record.listed?.objects ?? 0;
    row.bytes += record.listed?.bytes ?? 0;
  }

  /** Counts a line without an event. */
  addUnreadable(): void {
    this.counts.addUnreadable();
  }

  /** Returns the metrics in the Prometheus text format. */
  text(): string {
    const { unreadable } = this.counts.counted;
    return [
      ...series.map(([name, help, value]) => this.seriesText(name, help, value)),
      '# HELP pinion_audit_unreadable_total Audit log lines without an event.\n',
      '# TYPE pinion_audit_unreadable_total counter\n',
      `pinion_audit_unreadable_total ${unreadable}\n`,
    ].join('');
  }

  private rowOf(key: string, minCount: number): Row {
    const known = this.rows.get(key);
    if (known) return known;
    const { requests } = this.counts.counted;
    const isLarge = minCount >= Math.max(minRequests, minShare * requests);
    if (key !== other && (!isLarge || this.rows.size >= maxRows)) return this.rowOf(other, 0);
    const row: Row = { requests: 0, seconds: 0, errors: 0, wholeLists: 0, objects: 0, bytes: 0 };
    this.rows.set(key, row);
    return row;
  }

  private seriesText(name: string, help: string, value: (row: Row) => number): string {
    const lines = [...this.rows].map(([key, row]) => {
      const [user = '', verb = '', resource = ''] = namesOf(key).map(escapeLabel);
      return `${name}{user="${user}",verb="${verb}",resource="${resource}"} ${value(row)}\n`;
    });
    return `# HELP ${name} ${help}\n# TYPE ${name} counter\n${lines.join('')}`;
  }
}

const series: readonly (readonly [string, string, (row: Row) => number])[] = [
  ['pinion_audit_requests_total', 'Requests to the API server, including started watches.', (row) => row.requests],
  ['pinion_audit_seconds_total', 'Total response time, excluding long-running requests.', (row) => row.seconds],
  ['pinion_audit_errors_total', 'Responses with a status of 400 or above.', (row) => row.errors],
  ['pinion_audit_whole_lists_total', 'Lists without limit or selector.', (row) => row.wholeLists],
  ['pinion_audit_listed_objects_total', 'Objects in logged list responses.', (row) => row.objects],
  ['pinion_audit_listed_bytes_total', 'JSON bytes of logged list responses.', (row) => row.bytes],
];

/** Returns a label value as the Prometheus text format requires it; a control character in it would make all metrics unreadable. */
export const escapeLabel = (text: string): string =>
  text.replace(/[\\"\n]/g, (mark) => (mark === '\n' ? '\\n' : `\\${mark}`)).replace(/[\u0000-\u001f\u007f]/g, '\ufffd');
