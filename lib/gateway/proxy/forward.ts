import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { pipeline, Transform } from 'node:stream';
import { type Clock } from '../../kube';
import { type ApiCaller } from '../identity/api-caller';
import { sendStatus } from '../reads/api-status';
import { unreadGuard, whenRead } from '../reads/send-blocks';
import { acceptsJson } from '../requests/read-plan';
import { type Upstream } from '../upstream/upstream';
import { forwardedHeaders, returnedHeaders } from './forwarded-headers';
import { lostConnection, noConnection, trackSent } from './lost-connection';
import { requestRefusal } from './request-refusal';

/** Bytes of a response beyond which it is passed on without being read: no object of the API is larger. */
const maxReadBytes = 4 * 1_024 * 1_024;

/**
 * Passes a request on to the API server, on behalf of its caller, and the response back.
 * @param onWritten - receives the JSON of a successful response before its last byte is passed back
 * @param onError - receives the error of a request that could not be created, as without a credential
 */
export async function forward(
  upstream: Upstream,
  caller: ApiCaller,
  request: IncomingMessage,
  response: ServerResponse,
  onWritten?: (body: string) => void,
  onError?: (error: unknown) => void,
): Promise<void> {
  const refusal = requestRefusal(request, caller);
  if (refusal) {
    sendStatus(response, refusal);
    return;
  }
  const { method = 'GET', url = '/', socket } = request;
  const headers = framed(request, forwardedHeaders(request.headers, caller, socket.remoteAddress));
  let sent: ClientRequest;
  try {
    sent = await upstream.create({ method, path: url, headers: onWritten ? readable(headers) : headers });
  } catch (error) {
    sendStatus(response, noConnection);
    onError?.(error);
    return;
  }
  const isSent = trackSent(sent);
  const isRepeatable = method === 'GET' || method === 'HEAD';
  await new Promise<void>((resolve) => {
    sent.on('error', () => {
      if (response.headersSent) response.destroy();
      else sendStatus(response, isRepeatable || !isSent() ? noConnection : lostConnection);
    });
    const end = (): void => {
      socket.off('close', end);
      sent.destroy();
      resolve();
    };
    if (response.destroyed || socket.destroyed) {
      end();
      return;
    }
    response.once('close', end);
    // A response that waits for earlier ones on its connection does not close with it.
    socket.once('close', end);
    sent.once('response', (received) => passBack(received, response, upstream.clock, onWritten));
    // A failure of either side is seen by the handlers above.
    pipeline(request, sent, () => undefined);
  });
}

/** Adds the header with which a body is sent as it came, whatever the method: Node.js adds none for a DELETE. */
function framed({ headers }: IncomingMessage, forwarded: OutgoingHttpHeaders): OutgoingHttpHeaders {
  if (headers['transfer-encoding'] === undefined) return forwarded;
  const { 'content-length': _, ...others } = forwarded;
  return { ...others, 'transfer-encoding': 'chunked' };
}

function passBack(
  received: IncomingMessage,
  response: ServerResponse,
  clock: Clock,
  onWritten: ((body: string) => void) | undefined,
): void {
  response.writeHead(received.statusCode ?? 502, returnedHeaders(received.headers));
  response.flushHeaders();
  // A failure of either side closes the response.
  const isRead = onWritten && isReadable(received);
  const source = isRead ? pipeline(received, readThrough(onWritten), () => undefined) : received;
  pipeline(source, response, () => undefined);
  // After the pipeline has written and ended.
  source.on('data', unreadGuard(response, clock));
  source.once('end', () => {
    if (!response.writableFinished) void whenRead(response, 'finish', clock);
  });
}

/** Asks for JSON without compression, where the client takes it, so that the gateway learns what was written. */
function readable(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const { accept, 'accept-encoding': _, ...others } = headers;
  return { ...others, accept: typeof accept === 'string' && !acceptsJson(accept) ? accept : 'application/json' };
}

const isReadable = ({ statusCode = 0, headers }: IncomingMessage): boolean =>
  statusCode >= 200 && statusCode < 300 && (headers['content-type'] ?? '').startsWith('application/json');

/** Passes bytes on, and the whole text of them to a function before the last ones. */
function readThrough(onText: (text: string) => void): Transform {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      chunks.push(chunk);
      // Held back until the end: a client that has the response may read immediately.
      if (size > maxReadBytes) for (const held of chunks.splice(0)) this.push(held);
      done();
    },
    flush(done) {
      const whole = Buffer.concat(chunks);
      if (size <= maxReadBytes) onText(whole.toString('utf8'));
      done(null, whole);
    },
  });
}
