import { AuditCounts, AuditMetrics, receiveRequests, type AuditReport, startAuditSink } from '../../../operations';
import { UsageError } from '../../command/usage-error';
import { type ListenAddress, listenAddressType } from '../../command/listen-address';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { inputName, readAuditLog } from '../../input/audit-logs';
import { UnavailableError, reasonOf, type Io } from '../../io/io';
import { auditText } from './audit-text';
import { textOutput } from '../../command/output-options';
import { defineCommand } from '../../command/command';

/** `pinion audit`. */
export const auditCommand = defineCommand({
  description: `Summarize requests, time, errors and lists by user, verb and resource. On a terminal, the tables refresh every two seconds. Memory use is bounded; each count is shown with its error bound.`,
  arguments: {
    file: {
      valueName: 'FILE',
      description:
        'audit log with one event per line, as written by --audit-log-path, plain or gzip-compressed; - for standard input',
    },
  },
  options: {
    listen: {
      type: 'parsed',
      valueType: listenAddressType,
      description:
        'address on which to receive audit webhook events until stopped; serves metrics at /metrics and the top rows at /top',
    },
    top: { type: 'integer', min: 1, max: 1000, default: 10, description: 'number of rows per table, up to 1000' },
    output: textOutput,
  },
  examples: [
    { command: 'pinion audit /var/log/kubernetes/audit.log' },
    { command: 'pinion audit --listen 127.0.0.1:9440' },
  ],
  exitCodes: { failure: 'the log has no requests' },
  async run({ args: { file }, options: { listen, top, output } }, io) {
    if (listen !== undefined) {
      if (file !== undefined) throw new UsageError('FILE cannot be combined with --listen');
      return serve(listen, top, io);
    }
    if (file === undefined) throw new UsageError('audit requires FILE or --listen HOST:PORT');
    const counts = new AuditCounts();
    const live = new LiveTable(io, output !== 'json', () => auditText(file, counts.report(top), top));
    const bytes = await readAuditLog(file, receiveRequests(counts), io, () => live.refresh());
    const report = counts.report(Math.max(top, 1000));
    live.end();
    await io.write(textOf(file, report, top, output));
    if (report.requests > 0) return exitCodes.success;
    io.writeError(`pinion: ${inputName(file)} ${emptyReason(bytes, report)}; ${emptyRemedy}\n`);
    return exitCodes.failure;
  },
});

const emptyRemedy = 'pass the --audit-log-path file of an API server that has an --audit-policy-file';

/** Returns the reason why a log has no requests, as a clause. */
function emptyReason(bytes: number, { unreadable }: AuditReport): string {
  if (bytes === 0) return 'is empty';
  if (unreadable === 0) return 'contains no events of completed requests';
  return unreadable === 1
    ? 'contains no audit.k8s.io events, only 1 other line'
    : `contains no audit.k8s.io events, only ${unreadable} other lines`;
}

const textOf = (file: string, report: AuditReport, top: number, output: string): string =>
  output === 'json' ? `${JSON.stringify(report, null, 2)}\n` : auditText(file, report, top);

/** Milliseconds between two refreshes of the table. */
const refreshInterval = 2000;

/** A table on a terminal that is refreshed in place. */
class LiveTable {
  private next: number;
  private isShown = false;

  constructor(
    private readonly io: Io,
    private readonly isText: boolean,
    private readonly text: () => string,
  ) {
    this.next = io.now() + refreshInterval;
  }

  refresh(): void {
    if (!this.isText || !this.io.terminal.err || this.io.now() < this.next) return;
    this.next = this.io.now() + refreshInterval;
    this.show();
  }

  show(): void {
    this.io.writeError(`\u001b[2J\u001b[H${this.text()}`);
    this.isShown = true;
  }

  end(): void {
    if (this.isShown) this.io.writeError('\u001b[2J\u001b[H');
    this.isShown = false;
  }
}

async function serve({ host, port, text }: ListenAddress, top: number, io: Io): Promise<ExitCode> {
  const clock = io.system?.clock;
  if (!clock) throw new UnavailableError('cannot listen from here');
  const counts = new AuditCounts();
  const metrics = new AuditMetrics(counts);
  const content = {
    receiver: receiveRequests(metrics),
    metrics: () => metrics.text(),
    top: (rows: number) => counts.report(rows),
  };
  const sink = await startAuditSink(host, port, content).catch((error: unknown) => {
    throw new UnavailableError(`${text} ${reasonOf(error)}`);
  });
  io.writeError(`listening on ${host}:${sink.port}\n`);
  const table = new LiveTable(io, true, () => auditText(text, counts.report(top), top));
  for (;;) {
    // Runs until a signal.
    await new Promise<void>((next) => void clock.after(refreshInterval, next));
    table.refresh();
  }
}
