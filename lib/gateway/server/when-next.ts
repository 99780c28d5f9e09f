import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** Requests of one connection that may wait; Node.js keeps reading them until a response waits for the client to read it. */
const maxWaiting = 16;

/** Requests that wait, by their connection; each is called when it closes. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Waits until the responses before this one are sent; resolves with false if the connection is closed first. It is closed
 * when more than 16 requests wait: they come before their client is authenticated, and would need any amount of memory.
 */
export function whenNext({ socket }: Pick<IncomingMessage, 'socket'>, response: ServerResponse): Promise<boolean> {
  const others = waitingOf(socket);
  if (others.size >= maxWaiting) socket.destroy();
  if (socket.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const leave = (): void => resolve(false);
    others.add(leave);
    response.once('socket', () => {
      others.delete(leave);
      resolve(true);
    });
  });
}

function waitingOf(socket: Socket): Set<() => void> {
  const known = waiting.get(socket);
  if (known) return known;
  const others = new Set<() => void>();
  waiting.set(socket, others);
  socket.once('close', () => {
    for (const leave of others) leave();
    others.clear();
  });
  return others;
}
