import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/** One request in the audit log. */
export interface AuditEvent {
  readonly auditID: string;
  readonly stage: 'ResponseStarted' | 'ResponseComplete' | 'Panic';
  readonly requestURI: string;
  readonly verb: string;
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  /** Identity that it was made on behalf of, by impersonation. */
  readonly impersonatedUser?: {
    readonly username: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly userAgent?: string;
  /** Undefined for requests without an object, such as `/readyz`. */
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly apiVersion?: string;
  };
  readonly responseStatus?: { readonly code?: number; readonly reason?: string; readonly message?: string };
  /** Annotations of admission and authorization, such as Pod Security violations. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Time at which the server received the request, with microseconds. */
  readonly requestReceivedTimestamp: string;
  /** Time of the response, with microseconds; for a watch, of its start. */
  readonly stageTimestamp: string;
}

/** Filter of requests; an omitted field matches all. */
export interface AuditFilter {
  /** User name, such as `jane` or `system:serviceaccount:NAMESPACE:NAME`. */
  readonly user?: string;
  /** Substring of the user agent. */
  readonly userAgent?: string;
  readonly verb?: string;
  /** Plural name, such as `deployments`. */
  readonly resource?: string;
  /** @default - requests for subresources and for objects */
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Position in the audit log; earlier requests are not counted. */
export interface AuditMark {
  readonly offset: number;
}

/** Bytes of the log to read at once, in either direction. */
const [chunkSize, tailSize] = [4 * 1024 * 1024, 64 * 1024];
const newline = 10;

/**
 * Reads an API server's audit log: each request once, a watch at its start. The server writes the line before it
 * completes the response.
 */
export class Audit {
  constructor(private readonly file: string) {}

  /** Returns the current end of the log; an incomplete line comes after it. */
  mark(): AuditMark {
    return { offset: existsSync(this.file) ? endOfLines(this.file) : 0 };
  }

  /** Lists the requests completed after the mark. */
  since(mark: AuditMark, filter: AuditFilter = {}): readonly AuditEvent[] {
    return [...this.read(mark, filter)];
  }

  /** Yields the same requests as `since` one by one, so that a long log does not have to fit into memory. */
  *read(mark: AuditMark, filter: AuditFilter = {}): Generator<AuditEvent> {
    for (const line of linesAfter(this.file, mark.offset)) {
      const event = JSON.parse(line) as AuditEvent;
      if (isCounted(event) && matches(event, filter)) yield event;
    }
  }

  /** Counts the requests after the mark, by `user verb resource[/subresource]`. */
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

/** Returns the end of the last complete line of a file. */
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

/** Yields complete lines after an offset; an incomplete line is left for the next call. */
function* linesAfter(file: string, offset: number): Generator<string> {
  if (!existsSync(file)) return;
  const descriptor = openSync(file, 'r');
  try {
    let rest = Buffer.alloc(0);
    for (let position = offset; ;) {
      const chunk = Buffer.allocUnsafe(chunkSize);
      const length = readSync(descriptor, chunk, 0, chunkSize, position);
      if (length === 0) return;
      position += length;
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

/** Returns whether a line counts: of the two lines of a long-running request, only its start does. */
const isCounted = ({ stage, verb, objectRef }: AuditEvent): boolean => {
  const isLongRunning = verb === 'watch' || longSubresources.has(objectRef?.subresource ?? '');
  return isLongRunning ? stage === 'ResponseStarted' : stage !== 'ResponseStarted';
};
const longSubresources = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

function matches({ user, userAgent, verb, objectRef }: AuditEvent, filter: AuditFilter): boolean {
  const equals = (expected: string | undefined, found: string | undefined): boolean =>
    expected === undefined || expected === found;
  return (
    equals(filter.user, user.username) &&
    equals(filter.verb, verb) &&
    equals(filter.resource, objectRef?.resource) &&
    equals(filter.subresource, objectRef?.subresource) &&
    equals(filter.namespace, objectRef?.namespace) &&
    equals(filter.name, objectRef?.name) &&
    (filter.userAgent === undefined || (userAgent ?? '').includes(filter.userAgent))
  );
}
