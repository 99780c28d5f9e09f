import { type RequestInfo } from '../requests/request-info';
import { type ClientLabels } from './client-labels';

/** Who answers a request: a cache, a read of the API server that clients share, or the API server; `none` for a rejection. */
export type ServedFrom = 'cache' | 'merged' | 'proxied' | 'none';

/** A request to be recorded. */
export interface RecordedRequest {
  readonly client: ClientLabels;
  readonly info?: RequestInfo | undefined;
  readonly method: string;
  readonly socket: { readonly bytesWritten: number };
}

/** Where requests are counted. */
export interface RequestCounters {
  /** Counts a finished request. */
  countRequest(record: RequestRecord, code: number, seconds: number): void;
  /** Counts bytes that were sent for a request. */
  countBytes(record: RequestRecord, bytes: number): void;
  /** Counts an open watch; the returned function ends that. */
  addWatch(record: RequestRecord): () => void;
}

const methods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Subresources that last as long as their client wants. */
const longRunning = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

/** What is counted of one request. */
export class RequestRecord {
  readonly client: ClientLabels;
  readonly info: RequestInfo | undefined;
  readonly verb: string;
  /** Who answers it. */
  servedFrom: ServedFrom = 'none';
  /** Status of its response. @default - it is not finished */
  code?: number;
  /** Called once, when it is finished. */
  onEnd: () => void = () => undefined;
  readonly #socket: RecordedRequest['socket'];
  readonly #firstByte: number;
  #countedBytes: number;
  #endWatch: () => void = () => undefined;

  constructor(
    { client, info, method, socket }: RecordedRequest,
    private readonly counters: RequestCounters,
  ) {
    this.client = client;
    this.info = info;
    this.verb = info?.verb ?? (methods.has(method) ? method.toLowerCase() : 'unknown');
    this.#socket = socket;
    this.#firstByte = this.#countedBytes = socket.bytesWritten;
  }

  /** Bytes that were sent so far. */
  get bytes(): number {
    return this.#socket.bytesWritten - this.#firstByte;
  }

  /** Whether it lasts as long as its client wants. */
  get isLongRunning(): boolean {
    return this.verb === 'watch' || longRunning.has(this.info?.subresource ?? '');
  }

  /** Notes who answers it. */
  begin(servedFrom: ServedFrom): void {
    this.servedFrom = servedFrom;
    if (this.verb !== 'watch') return;
    this.#endWatch();
    this.#endWatch = this.counters.addWatch(this);
  }

  /** Notes that it is finished. */
  end(code: number, seconds: number): void {
    this.code = code;
    this.countBytes();
    this.#endWatch();
    this.counters.countRequest(this, code, seconds);
    this.onEnd();
  }

  /** Counts the bytes that were sent since they were last counted. */
  countBytes(): void {
    const { bytesWritten } = this.#socket;
    this.counters.countBytes(this, bytesWritten - this.#countedBytes);
    this.#countedBytes = bytesWritten;
  }
}
