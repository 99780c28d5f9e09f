import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/** One request as the audit log tells it. */
export interface AuditEvent {
  readonly auditID: string;
  readonly stage: 'ResponseStarted' | 'ResponseComplete' | 'Panic';
  readonly requestURI: string;
  readonly verb: string;
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  readonly userAgent?: string;
  /** Missing where the request was for no object, `/readyz` say. */
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly apiVersion?: string;
  };
  readonly responseStatus?: { readonly code?: number; readonly reason?: string; readonly message?: string };
  /** What admission and authorization noted, such as violations of Pod Security. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** When the server took the request, with microseconds. */
  readonly requestReceivedTimestamp: string;
  /** When the server had answered, with microseconds; of a watch, when it began. */
  readonly stageTimestamp: string;
}

/** Which requests are meant; a field that is left out means all. */
export interface AuditFilter {
  /** User name, `jane` or `system:serviceaccount:NAMESPACE:NAME`. */
  readonly user?: string;
  /** What the user agent contains. */
  readonly userAgent?: string;
  readonly verb?: string;
  /** Plural name, `deployments`. */
  readonly resource?: string;
  /** @default - requests for subresources and for objects */
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** A place in the audit log: what was asked before it is not counted. */
export interface AuditMark {
  readonly offset: number;
}

/** How much of the log is read at once, in bytes: forwards, and backwards from its end. */
const [chunkSize, tailSize] = [4 * 1024 * 1024, 64 * 1024];
const newline = 10;

/** Reads an API server's audit log: each request once, a watch when it begins. The server writes it before it ends its answer. */
export class Audit {
  constructor(private readonly file: string) {}

  /** The present end of the log; a line that is still being written comes after it. */
  mark(): AuditMark {
    return { offset: existsSync(this.file) ? endOfLines(this.file) : 0 };
  }

  /** The requests that were answered after the mark. */
  since(mark: AuditMark, filter: AuditFilter = {}): readonly AuditEvent[] {
    return [...this.read(mark, filter)];
  }

  /** Like `since`, but one after the other, so that a long log need not fit into memory. */
  *read(mark: AuditMark, filter: AuditFilter = {}): Generator<AuditEvent> {
    for (const line of linesAfter(this.file, mark.offset)) {
      const event = JSON.parse(line) as AuditEvent;
      if (isOnce(event) && matches(event, filter)) yield event;
    }
  }

  /** How many requests there were after the mark, by `user verb resource[/subresource]`. */
  counts(mark: AuditMark, filter: AuditFilter = {}): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { user, verb, objectRef, requestURI } of this.read(mark, filter)) {
      const { resource = requestURI.split('?')[0] ?? '', subresource } = objectRef ?? {};
      const key = `${user.username} ${verb} ${subresource ? `${resource}/${subresource}` : resource}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  }
}

/** Where the last whole line of a file ends. */
function endOfLines(file: string): number {
  const descriptor = openSync(file, 'r');
  try {
    let { size: end } = fstatSync(descriptor);
    while (end > 0) {
      const begin = Math.max(0, end - tailSize);
      const chunk = Buffer.alloc(end - begin);
      readSync(descriptor, chunk, 0, chunk.length, begin);
      const last = chunk.lastIndexOf(newline);
      if (last >= 0) return begin + last + 1;
      end = begin;
    }
    return 0;
  } finally {
    closeSync(descriptor);
  }
}

/** Whole lines after an offset; a line that is still being written is left for the next time. */
function* linesAfter(file: string, offset: number): Generator<string> {
  if (!existsSync(file)) return;
  const descriptor = openSync(file, 'r');
  try {
    let rest = Buffer.alloc(0);
    for (let at = offset; ;) {
      const chunk = Buffer.allocUnsafe(chunkSize);
      const length = readSync(descriptor, chunk, 0, chunkSize, at);
      if (length === 0) return;
      at += length;
      const text = rest.length > 0 ? Buffer.concat([rest, chunk.subarray(0, length)]) : chunk.subarray(0, length);
      let begin = 0;
      for (let end = text.indexOf(newline); end >= 0; end = text.indexOf(newline, begin)) {
        if (end > begin) yield text.toString('utf8', begin, end);
        begin = end + 1;
      }
      rest = text.subarray(begin);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** A long-running request is told twice, when it begins and when it ends: it counts when it begins. */
const isOnce = ({ stage, verb, objectRef }: AuditEvent): boolean => {
  const isLong = verb === 'watch' || longSubresources.has(objectRef?.subresource ?? '');
  return isLong ? stage === 'ResponseStarted' : stage !== 'ResponseStarted';
};
const longSubresources = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

function matches({ user, userAgent, verb, objectRef }: AuditEvent, filter: AuditFilter): boolean {
  const is = (wanted: string | undefined, found: string | undefined): boolean =>
    wanted === undefined || wanted === found;
  return (
    is(filter.user, user.username) &&
    is(filter.verb, verb) &&
    is(filter.resource, objectRef?.resource) &&
    is(filter.subresource, objectRef?.subresource) &&
    is(filter.namespace, objectRef?.namespace) &&
    is(filter.name, objectRef?.name) &&
    (filter.userAgent === undefined || (userAgent ?? '').includes(filter.userAgent))
  );
}
