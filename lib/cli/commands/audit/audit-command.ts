import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { AuditLines, LoadCounts, type LoadReport, startAuditSink, unpacked } from '../../../operations';
import { type Arguments, UsageError } from '../../command/arguments';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UnavailableError, reasonOf, type Io } from '../../io/io';
import { auditText } from './audit-text';
import { defineCommand } from '../../command/command';

const help = `pinion audit [options] FILE|-
pinion audit [options] --listen HOST:PORT

Says who does what to the API server, by its audit log: requests, time, errors and lists by user, verb and resource.

  FILE               an audit log with one event a line, as --audit-log-path writes it, plain or gzip-compressed; - reads
                     standard input until its end
  --listen HOST:PORT receives events of an audit webhook until it is stopped; serves metrics at /metrics, rows at /top
  -o, --output       text or json
  --top COUNT        rows of each table (default: 10)

On a terminal the tables are refreshed every other second. Memory is bounded; how much a count may be too large is shown.
`;

const options = {
  listen: { type: 'string' },
  output: { type: 'string', short: 'o', values: ['text', 'json'] },
  top: { type: 'string' },
} as const;

type Given = Arguments<keyof typeof options>;

/** `pinion audit`: who does what to the API server. */
export const auditCommand = defineCommand({
  help,
  options,
  async run(given, io) {
    const [file, ...more] = given.positionals;
    const { listen } = given.values;
    const top = topOf(given);
    if (listen !== undefined) {
      if (file !== undefined) throw new UsageError('--listen needs no file');
      return serve(listen, top, io);
    }
    if (file === undefined || more.length > 0) throw new UsageError('audit needs one file, or - for standard input');
    const counts = new LoadCounts();
    const live = new LiveTable(io, given.values.output !== 'json', () => auditText(file, counts.report(top), top));
    const bytes = await read(file, counts, live, io);
    const report = counts.report(Math.max(top, 1000));
    live.end();
    await io.write(textOf(file, report, top, given));
    if (report.requests > 0) return exitCodes.success;
    io.writeError(`pinion: ${shown(file)} ${emptyReason(bytes, report)}; ${emptyRemedy}\n`);
    return exitCodes.failure;
  },
});

function topOf({ values }: Given): number {
  const top = Number(values.top ?? 10);
  if (!Number.isInteger(top) || top < 1 || top > 1000)
    throw new UsageError('--top takes a whole number from 1 to 1000');
  return top;
}

const emptyRemedy = 'give the file of --audit-log-path of an API server that has an --audit-policy-file';

/** Why a log has no request, as a clause. */
function emptyReason(bytes: number, { unreadable }: LoadReport): string {
  if (bytes === 0) return 'is empty';
  if (unreadable === 0) return 'has no event of a request that was answered';
  return unreadable === 1
    ? 'has no event of audit.k8s.io, but 1 line of something else'
    : `has no event of audit.k8s.io, but ${unreadable} lines of something else`;
}

const shown = (file: string): string => (file === '-' ? 'standard input' : file);

const textOf = (file: string, report: LoadReport, top: number, { values }: Given): string =>
  values.output === 'json' ? `${JSON.stringify(report, null, 2)}\n` : auditText(file, report, top);

/** Bytes that are read at once. */
const pieceSize = 1024 * 1024;

/** Counts what a log holds, and gives its bytes, unpacked. */
async function read(file: string, counts: LoadCounts, live: LiveTable, io: Io): Promise<number> {
  let bytes = 0;
  const lines = new AuditLines(counts);
  // Standard input is file 0: it may have no end, and is taken as it comes.
  const source =
    file === '-'
      ? createReadStream('', { fd: 0 })
      : createReadStream(resolve(io.cwd, file), { highWaterMark: pieceSize });
  try {
    for await (const piece of unpacked(source as AsyncIterable<Buffer>)) {
      bytes += piece.length;
      lines.take(piece);
      live.turn();
    }
  } catch (error) {
    throw new UnavailableError(`${shown(file)} ${reasonOf(error)}`);
  }
  lines.end();
  return bytes;
}

/** Milliseconds between two looks at the table. */
const pace = 2000;

/** A table that is drawn anew in its place while a person looks at it. */
class LiveTable {
  private next: number;
  private isShown = false;

  constructor(
    private readonly io: Io,
    private readonly isText: boolean,
    private readonly text: () => string,
  ) {
    this.next = io.now() + pace;
  }

  turn(): void {
    if (!this.isText || !this.io.terminal.err || this.io.now() < this.next) return;
    this.next = this.io.now() + pace;
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

async function serve(listen: string, top: number, io: Io): Promise<ExitCode> {
  const found = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(listen);
  const host = found?.[1] ?? found?.[2];
  const port = Number(found?.[3]);
  const clock = io.system?.clock;
  if (host === undefined || port > 65_535)
    throw new UsageError(`--listen takes an address such as 127.0.0.1:9440, not ${listen}`);
  if (!clock) throw new UnavailableError('nothing can be listened to from here');
  const sink = await startAuditSink(host, port).catch((error: unknown) => {
    throw new UnavailableError(`${listen} ${reasonOf(error)}`);
  });
  io.writeError(`listening on ${host}:${sink.port}\n`);
  const table = new LiveTable(io, true, () => auditText(listen, sink.report(top), top));
  for (;;) {
    // Ended by a signal, as any program that serves.
    await new Promise<void>((done) => void clock.after(pace, done));
    table.turn();
  }
}
