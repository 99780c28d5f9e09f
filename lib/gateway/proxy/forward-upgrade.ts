import { type ClientRequest, type IncomingMessage } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { type ApiCaller } from '../identity/api-caller';
import { type Upstream } from '../upstream/upstream';
import { forwardedHeaders } from './forwarded-headers';
import { lostConnection, noConnection, trackSent } from './lost-connection';
import { refuseUpgrade } from './refuse-upgrade';
import { upgradeRefusal } from './request-refusal';

/**
 * Passes an upgrade on, as of `exec` and `port-forward`: from its answer on, both sides exchange bytes.
 * @param head - bytes that came after the request
 * @param onError - receives the error of a request that could not be created, as without a credential
 */
export async function forwardUpgrade(
  upstream: Upstream,
  caller: ApiCaller,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  onError?: (error: unknown) => void,
): Promise<void> {
  // Without a listener, a reset connection ends the process; its close is handled below.
  socket.on('error', () => undefined);
  const refusal = upgradeRefusal(request, caller);
  if (refusal) {
    refuseUpgrade(socket, refusal);
    return;
  }
  let sent: ClientRequest;
  try {
    sent = await createUpgrade(upstream, caller, request);
  } catch (error) {
    refuseUpgrade(socket, noConnection);
    onError?.(error);
    return;
  }
  const isSent = trackSent(sent);
  let isAnswered = false;
  sent.on('error', () => {
    if (isAnswered) socket.destroy();
    else refuseUpgrade(socket, isSent() ? lostConnection : noConnection);
  });
  if (socket.destroyed) {
    sent.destroy();
    return;
  }
  socket.once('close', () => sent.destroy());
  sent.once('upgrade', (received: IncomingMessage, remote: Duplex, first: Buffer) => {
    isAnswered = true;
    socket.write(headOf(received), 'latin1');
    if (first.length > 0) socket.write(first);
    if (head.length > 0) remote.write(head);
    exchange(socket, remote);
  });
  // The API server declined, and says why.
  sent.once('response', (received: IncomingMessage) => {
    isAnswered = true;
    const remote = received.socket;
    socket.resume();
    socket.write(headOf(received, { connection: 'close' }), 'latin1');
    pipeline(received, socket, () => {
      socket.destroy();
      remote.destroy();
    });
  });
  sent.end();
}

/** Creates the request on a connection of its own: what remains of an upgrade must not meet another client's request. */
function createUpgrade(upstream: Upstream, caller: ApiCaller, request: IncomingMessage): Promise<ClientRequest> {
  const { method = 'GET', url = '/', headers } = request;
  const { 'content-length': _, ...others } = forwardedHeaders(headers, caller, request.socket.remoteAddress);
  return upstream.create({
    method,
    path: url,
    headers: { ...others, connection: 'Upgrade', upgrade: headers.upgrade },
    ownConnection: true,
  });
}

/** Passes bytes in both directions until both have ended, or one has failed. */
function exchange(socket: Duplex, remote: Duplex): void {
  let directions = 2;
  const close = (error?: Error | null): void => {
    directions -= 1;
    if (!error && directions > 0) return;
    socket.destroy();
    remote.destroy();
  };
  for (const side of [socket, remote]) {
    // The end of one direction leaves bytes of the other in flight.
    side.allowHalfOpen = true;
    // Two pipelines over TLS have more listeners than Node.js takes for a leak.
    side.setMaxListeners(20);
  }
  pipeline(socket, remote, close);
  pipeline(remote, socket, close);
}

function headOf(received: IncomingMessage, more: Readonly<Record<string, string>> = {}): string {
  const { statusCode = 502, statusMessage = '', rawHeaders } = received;
  const lines = Array.from({ length: rawHeaders.length / 2 }, (_, index) => rawHeaders.slice(2 * index, 2 * index + 2))
    .filter(([name = '']) => !(name.toLowerCase() in more) && name.toLowerCase() !== 'transfer-encoding')
    .concat(Object.entries(more))
    .map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, '', ''].join('\r\n');
}
