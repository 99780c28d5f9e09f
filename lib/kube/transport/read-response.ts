import { type IncomingMessage } from 'node:http';
import { LineSplitter } from '../../process';
import { type ApiError } from './api-error';

/** Creates the error for an interrupted response. */
export type ResponseErrorFactory = (message: string, cause?: Error) => ApiError;

/** Reads a whole response as UTF-8. */
export function readText(response: IncomingMessage, createError: ResponseErrorFactory): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    response.once('error', (cause) => reject(createError(`the response was interrupted: ${cause.message}`, cause)));
  });
}

/**
 * Calls `onLine` for each complete line that is not empty; resolves at the end of the response.
 * Rejects with an error that `onLine` throws, or if the response ends within a line.
 */
export function readLines(
  response: IncomingMessage,
  onLine: (line: string) => void,
  createError: ResponseErrorFactory,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let failed = false;
    const fail = (error: unknown): void => {
      failed = true;
      reject(error);
    };
    const lines = new LineSplitter({ onLine: (line) => line.length > 0 && onLine(textOf(line)) });
    response.on('data', (chunk: Buffer) => {
      if (failed) return;
      try {
        lines.push(chunk);
      } catch (error) {
        fail(error);
      }
    });
    response.once('end', () => {
      if (lines.pendingLength > 0) fail(createError('the response ended within a line'));
      else if (!failed) resolve();
    });
    response.once('error', (cause) => fail(createError(`the response was interrupted: ${cause.message}`, cause)));
  });
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
