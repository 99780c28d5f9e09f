import { STATUS_CODES } from 'node:http';
import { type Duplex } from 'node:stream';
import { type ApiStatus, statusBody } from '../reads/api-status';

/** Answers a request that asked for an upgrade with an error, and closes its connection. */
export function refuseUpgrade(socket: Duplex, status: ApiStatus): void {
  const body = statusBody(status);
  const retryAfter = status.details?.['retryAfterSeconds'];
  const head = [
    `HTTP/1.1 ${status.code} ${STATUS_CODES[status.code] ?? ''}`,
    'content-type: application/json',
    'cache-control: no-cache, private',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(typeof retryAfter === 'number' ? [`retry-after: ${retryAfter}`] : []),
    'connection: close',
  ];
  // Unread bytes would reset the connection, and the client would not see the error.
  socket.resume();
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
