import { type ServerResponse } from 'node:http';
import { type Clock } from '../../kube';

/** Resolves after some milliseconds, or as soon as the client of a response is gone. */
export function whenDue(
  response: Pick<ServerResponse, 'destroyed' | 'once' | 'off'>,
  milliseconds: number,
  clock: Clock,
): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel();
      response.off('close', finish);
      resolve();
    };
    const cancel = clock.after(milliseconds, finish);
    response.once('close', finish);
  });
}
