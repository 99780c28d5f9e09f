import { type AuditRecord } from './audit-record';
import { type LoadCounts, namesOf } from './load-counts';

/** Rows of metrics at most; who does what else is `other`. */
const maxRows = 1000;
/** Part of all requests from which a row stands by itself. */
const share = 1 / 1000;
/** Requests that a row needs in any case: in the beginning each is many. */
const fewest = 20;

interface Row {
  requests: number;
  seconds: number;
  errors: number;
  wholeLists: number;
  objects: number;
  bytes: number;
}

const other = ['other', 'other', 'other'].join('\u0000');

/** Sums for Prometheus with a bounded number of labels: a row begins once its requests are certainly many, and stays. */
export class LoadMetrics {
  private readonly rows = new Map<string, Row>();

  constructor(private readonly counts: LoadCounts) {}

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

  /** Counts a line that was no event. */
  addUnreadable(): void {
    this.counts.addUnreadable();
  }

  /** All of it in the text format of Prometheus. */
  text(): string {
    const { unreadable } = this.counts.counted;
    return [
      ...series.map(([name, help, value]) => this.seriesText(name, help, value)),
      '# HELP pinion_audit_unreadable_total Lines of the audit log that were no event.\n',
      '# TYPE pinion_audit_unreadable_total counter\n',
      `pinion_audit_unreadable_total ${unreadable}\n`,
    ].join('');
  }

  private rowOf(key: string, certain: number): Row {
    const known = this.rows.get(key);
    if (known) return known;
    const { requests } = this.counts.counted;
    const isMany = certain >= Math.max(fewest, share * requests);
    if (key !== other && (!isMany || this.rows.size >= maxRows)) return this.rowOf(other, 0);
    const row: Row = { requests: 0, seconds: 0, errors: 0, wholeLists: 0, objects: 0, bytes: 0 };
    this.rows.set(key, row);
    return row;
  }

  private seriesText(name: string, help: string, value: (row: Row) => number): string {
    const lines = [...this.rows].map(([key, row]) => {
      const [user = '', verb = '', resource = ''] = namesOf(key).map(escaped);
      return `${name}{user="${user}",verb="${verb}",resource="${resource}"} ${value(row)}\n`;
    });
    return `# HELP ${name} ${help}\n# TYPE ${name} counter\n${lines.join('')}`;
  }
}

const series: readonly (readonly [string, string, (row: Row) => number])[] = [
  [
    'pinion_audit_requests_total',
    'Requests that the API server answered, watches that it began.',
    (row) => row.requests,
  ],
  ['pinion_audit_seconds_total', 'Seconds that answers took, watches left out.', (row) => row.seconds],
  ['pinion_audit_errors_total', 'Answers with a status of 400 and above.', (row) => row.errors],
  ['pinion_audit_whole_lists_total', 'Lists without limit or selector.', (row) => row.wholeLists],
  ['pinion_audit_listed_objects_total', 'Objects in answers to lists that are in the log.', (row) => row.objects],
  ['pinion_audit_listed_bytes_total', 'Bytes as JSON of answers to lists that are in the log.', (row) => row.bytes],
];

const escaped = (text: string): string => text.replace(/[\\"\n]/g, (mark) => (mark === '\n' ? '\\n' : `\\${mark}`));
