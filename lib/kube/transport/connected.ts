import { type ClientRequest } from 'node:http';

/** Calls back when a request has a connected socket; never if it gets none. */
export function whenConnected(request: ClientRequest, ready: () => void): void {
  request.once('socket', (socket: NonNullable<ClientRequest['socket']> & { readonly secureConnecting?: boolean }) => {
    if (socket.secureConnecting) socket.once('secureConnect', ready);
    else if (socket.connecting) socket.once('connect', ready);
    else ready();
  });
}
