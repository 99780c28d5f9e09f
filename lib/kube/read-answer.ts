import { type IncomingMessage } from 'node:http';
import { type ApiError } from './api-error';

/** Makes the error for an answer that broke off. */
export type Broken = (what: string, cause?: Error) => ApiError;

const newline = 0x0a;

/** Reads an answer whole, as UTF-8. */
export function readText(response: IncomingMessage, broken: Broken): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    response.once('error', (cause) => reject(broken(`the answer broke off: ${cause.message}`, cause)));
  });
}

/**
 * Hands each line of an answer on as soon as it is whole, empty ones left out; fulfilled at the end of the answer.
 * Rejected with what `onLine` throws, or where the answer ends within a line.
 */
export function readLines(response: IncomingMessage, onLine: (line: string) => void, broken: Broken): Promise<void> {
  return new Promise((resolve, reject) => {
    // Cut as bytes: no byte of a longer UTF-8 character is a newline, so no character is ever cut in two.
    let rest: Buffer[] = [];
    let over = false;
    const fail = (error: unknown): void => {
      over = true;
      reject(error as Error);
    };
    response.on('data', (chunk: Buffer) => {
      if (over) return;
      let from = 0;
      try {
        for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
          const end = chunk.subarray(from, at);
          const line = rest.length === 0 ? end : Buffer.concat([...rest, end]);
          rest = [];
          from = at + 1;
          if (line.length > 0) onLine(line.toString('utf8'));
        }
      } catch (error) {
        fail(error);
        return;
      }
      if (from < chunk.length) rest.push(chunk.subarray(from));
    });
    response.once('end', () => {
      if (rest.length > 0) fail(broken('the answer ended within a line'));
      else if (!over) resolve();
    });
    response.once('error', (cause) => fail(broken(`the answer broke off: ${cause.message}`, cause)));
  });
}
