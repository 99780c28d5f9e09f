import { type ClientRequest, type IncomingMessage } from 'node:http';
import { type Clock } from '../../kube';
import { forwardedHeaders } from '../proxy/forwarded-headers';
import { noConnection } from '../proxy/lost-connection';
import { sendStatus } from '../reads/api-status';
import { type Upstream } from '../upstream/upstream';
import { type MergedReader, shareResponse } from './share-response';

/** Milliseconds after which the next read starts although the one before is not answered. */
const maxDelay = 1_000;

/** Statuses that concern the identity of the first reader, and no other. */
const ownStatuses = [401, 403, 429];

/** Headers that make the answer depend on what the client has. */
const conditional = ['if-match', 'if-none-match', 'if-modified-since', 'if-range', 'range'];

/** What merged reads work with. */
export interface MergedReadsOptions {
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Identical reads that one request to the API server answers. */
interface Batch {
  readonly readers: MergedReader[];
}

/** Reads of one key: the batch that was sent last and is not answered yet, and the one that follows it. */
interface PendingReads {
  sent: Batch;
  next?: Batch | undefined;
}

/**
 * Merges identical reads: while one is in flight, those that arrive wait, and share the next one. None shares a read that
 * began before it arrived, because its answer could be older than what the client already knows.
 */
export class MergedReads {
  readonly #pending = new Map<string, PendingReads>();

  constructor(private readonly options: MergedReadsOptions) {}

  /** Returns whether the answer to a request depends on nothing that the key of a read does not contain. */
  static isMergeable({ method, headers }: IncomingMessage): boolean {
    return method === 'GET' && !conditional.some((name) => headers[name] !== undefined);
  }

  /**
   * Answers a reader; resolves when its response is over. Resolves with false if it must ask for itself, because the answer
   * to the first reader concerned that one's identity, or the reader is no longer allowed to share.
   */
  read(reader: Omit<MergedReader, 'finish'>): Promise<boolean> {
    const { url, headers } = reader.request;
    // As they are passed on: a client may list either of them in its header Connection, so that it is not.
    const { accept, 'accept-encoding': encoding } = forwardedHeaders(headers, reader.caller);
    const key = JSON.stringify([url, accept, encoding]);
    return new Promise((finish) => {
      const one = { ...reader, finish };
      const pending = this.#pending.get(key);
      if (!pending) this.#start(key, { readers: [one] });
      else (pending.next ??= { readers: [] }).readers.push(one);
    });
  }

  #start(key: string, batch: Batch): void {
    this.#pending.set(key, { sent: batch });
    const cancel = this.options.clock.after(maxDelay, () => this.#startNext(key, batch));
    void this.#send(batch, () => {
      cancel();
      this.#startNext(key, batch);
    });
  }

  /** Starts the batch after one that is answered, or not answered for too long. */
  #startNext(key: string, batch: Batch): void {
    const pending = this.#pending.get(key);
    if (pending?.sent !== batch) return;
    if (pending.next) this.#start(key, pending.next);
    else this.#pending.delete(key);
  }

  /** Sends the request of a batch for its first reader; `onAnswered` is called when its state is known, or it failed. */
  async #send({ readers }: Batch, onAnswered: () => void): Promise<void> {
    const present = readers.filter(isPresent);
    const [first, ...others] = present;
    if (!first) {
      onAnswered();
      return;
    }
    const { upstream, onError } = this.options;
    let sent: ClientRequest;
    try {
      const { request, caller } = first;
      const headers = forwardedHeaders(request.headers, caller, request.socket.remoteAddress);
      sent = await upstream.create({ method: 'GET', path: request.url ?? '/', headers });
    } catch (error) {
      onError(error);
      onAnswered();
      for (const reader of present) fail(reader);
      return;
    }
    const endUnread = (): void => {
      if (!present.some(({ response }) => !response.destroyed && !response.writableFinished)) sent.destroy();
    };
    for (const { response } of present) response.once('close', endUnread);
    sent.once('error', () => {
      onAnswered();
      for (const reader of present) fail(reader);
    });
    sent.once('response', (received) => {
      onAnswered();
      const isOwn = ownStatuses.includes(received.statusCode ?? 0);
      if (isOwn) for (const { finish } of others) finish(false);
      shareResponse(received, isOwn ? [first] : present, this.options.clock);
    });
    sent.end();
    endUnread();
  }
}

/** Returns whether a reader waits for an answer, and may share one; otherwise it is over for it. */
function isPresent({ response, isAllowed, finish }: MergedReader): boolean {
  if (response.destroyed) finish(true);
  else if (isAllowed()) return true;
  else finish(false);
  return false;
}

/** Answers a reader that the API server did not; one whose response has begun loses its connection. */
function fail({ response, finish }: MergedReader): void {
  if (response.headersSent) response.destroy();
  else if (!response.destroyed) sendStatus(response, noConnection);
  finish(true);
}
