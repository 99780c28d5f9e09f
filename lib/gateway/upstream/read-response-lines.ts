import { type ClientRequest, type IncomingMessage } from 'node:http';
import { type Clock, errorText, LineSplitter } from '../../process';
import { Silence } from './watch-failure';

/** Options of the lines of a response. */
export interface ResponseLinesOptions {
  readonly clock: Clock;
  /** Milliseconds without a byte after which it fails with a `Silence`. */
  readonly silence: number;
  /** Receives each line that is not empty; the request ends if it throws. */
  readonly onLine: (line: Uint8Array) => void;
}

/** Reads the lines of a response as they come; resolves at its end, and rejects if it fails or is silent for too long. */
export function readResponseLines(
  request: ClientRequest,
  response: IncomingMessage,
  { clock, silence, onLine }: ResponseLinesOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopTimer = (): void => undefined;
    const fail = (error: unknown): void => {
      stopTimer();
      request.destroy();
      reject(error instanceof Error ? error : new Error(errorText(error)));
    };
    const expectMore = (): void => {
      stopTimer();
      stopTimer = clock.after(silence, () => fail(new Silence(`neither event nor bookmark within ${silence} ms`)));
    };
    const lines = new LineSplitter({
      onLine: (line) => {
        if (line.length > 0) onLine(line);
      },
    });
    expectMore();
    response.on('data', (chunk: Buffer) => {
      try {
        lines.push(chunk);
        expectMore();
      } catch (error) {
        fail(error);
      }
    });
    response.once('error', fail);
    response.once('end', () => {
      stopTimer();
      if (lines.pendingLength > 0) fail(new Error('the response ended within a line'));
      else resolve();
    });
  });
}
