import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Clock } from '../../kube';
import { type ApiCaller } from '../identity/api-caller';
import { returnedHeaders } from '../proxy/forwarded-headers';
import { endResponse, unreadGuard } from '../reads/send-blocks';

/** Bytes by which a reader may lag behind the fastest one; beyond, it loses its connection. */
const maxLag = 32 * 1_024 * 1_024;

/** Client that shares the answer to its read. */
export interface MergedReader {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: ApiCaller;
  /** Returns whether a role still allows its read. */
  readonly isAllowed: () => boolean;
  /** Called when its answer is shared with an earlier one, before its first byte. */
  readonly onShared: () => void;
  /** Called when it is answered, or with false if it must ask for itself. */
  readonly finish: (isAnswered: boolean) => void;
}

/**
 * Sends one response of the API server to all readers, as fast as the fastest reads; a slow one delays no other, and one that
 * reads nothing for 60 seconds loses its connection.
 */
export function shareResponse(received: IncomingMessage, readers: readonly MergedReader[], clock: Clock): void {
  const open = new Set(readers.filter(({ response }) => !response.destroyed));
  const guards = new Map([...open].map(({ response }) => [response, unreadGuard(response, clock)]));
  const headers = returnedHeaders(received.headers);
  const resumeIfRead = (): void => {
    if (![...open].every(({ response }) => response.writableNeedDrain)) received.resume();
  };
  for (const [index, reader] of readers.entries()) {
    const { response, finish, onShared } = reader;
    if (!open.has(reader)) {
      finish(true);
      continue;
    }
    if (index > 0) onShared();
    response.once('close', () => {
      open.delete(reader);
      resumeIfRead();
      finish(true);
    });
    response.on('drain', resumeIfRead);
    response.writeHead(received.statusCode ?? 502, headers);
  }
  received.on('data', (chunk: Buffer) => {
    for (const { response } of open) {
      response.write(chunk);
      if (response.writableLength > maxLag) response.destroy();
      guards.get(response)?.();
    }
    if ([...open].every(({ response }) => response.writableNeedDrain)) received.pause();
  });
  received.once('end', () => {
    for (const { response } of open) void endResponse(response, clock);
  });
  // A response that breaks off must not look complete.
  received.once('error', () => {
    for (const { response } of [...open]) response.destroy();
  });
}
