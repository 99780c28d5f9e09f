import { type IncomingMessage } from 'node:http';
import { type ApiError } from './api-error';

/** Creates the error for an interrupted response. */
export type ResponseErrorFactory = (message: string, cause?: Error) => ApiError;

const newline = 0x0a;

/** Reads a whole response as UTF-8. */
export function readText(response: IncomingMessage, broken: ResponseErrorFactory): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    response.once('error', (cause) => reject(broken(`the response was interrupted: ${cause.message}`, cause)));
  });
}

/**
 * Calls `onLine` for each complete line that is not empty; resolves at the end of the response.
 * Rejects with what `onLine` throws, or if the response ends within a line.
 */
export function readLines(
  response: IncomingMessage,
  onLine: (line: string) => void,
  broken: ResponseErrorFactory,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // Split as bytes: no byte of a multi-byte UTF-8 character is a newline, so no character is split.
    let rest: Buffer[] = [];
    let failed = false;
    const fail = (error: unknown): void => {
      failed = true;
      reject(error);
    };
    response.on('data', (chunk: Buffer) => {
      if (failed) return;
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
      if (rest.length > 0) fail(broken('the response ended within a line'));
      else if (!failed) resolve();
    });
    response.once('error', (cause) => fail(broken(`the response was interrupted: ${cause.message}`, cause)));
  });
}
