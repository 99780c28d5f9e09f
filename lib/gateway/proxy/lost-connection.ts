import { type ClientRequest } from 'node:http';
import { type Socket } from 'node:net';
import { type ApiStatus } from '../reads/api-status';

/** Error of a request of which nothing was sent, or that changes nothing: clients repeat it, as of Retry-After. */
export const noConnection: ApiStatus = {
  code: 503,
  reason: 'ServiceUnavailable',
  message: 'the gateway has no connection to the API server',
  details: { retryAfterSeconds: 1 },
};

/** Error of a request that may have been carried out: clients of Go would repeat it, even a POST, with Retry-After. */
export const lostConnection: ApiStatus = {
  code: 503,
  reason: 'ServiceUnavailable',
  message: 'the gateway lost its connection to the API server, which may have carried out the request',
};

/** Returns a function that returns whether the API server may have received bytes of a request by then. */
export function trackSent(sent: ClientRequest): () => boolean {
  let isSent = false;
  const note = (): void => void (isSent = true);
  sent.once('socket', (socket: Socket) => {
    if (sent.reusedSocket) note();
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', note);
  });
  return () => isSent;
}
