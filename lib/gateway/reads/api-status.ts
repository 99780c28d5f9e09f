import { type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { type CachedResource, groupResourceOf } from '../cache/cached-resource';

/** Error response in the form of the Kubernetes API. */
export interface ApiStatus {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Returns the body of an error response. */
export const statusBody = ({ code, reason, message, details }: ApiStatus): string =>
  `${JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details && { details }),
    code,
  })}\n`;

/** Sends an error response; with `retryAfterSeconds` among its details, the header Retry-After too. */
export function sendStatus(response: ServerResponse, status: ApiStatus, headers: OutgoingHttpHeaders = {}): void {
  const retryAfter = status.details?.['retryAfterSeconds'];
  response.writeHead(status.code, {
    'content-type': 'application/json',
    'cache-control': 'no-cache, private',
    ...headers,
    ...(typeof retryAfter === 'number' && { 'retry-after': `${retryAfter}` }),
  });
  response.end(statusBody(status));
}

/** Returns the error of an object that does not exist. */
export function objectNotFound(resource: CachedResource, name: string): ApiStatus {
  const { group, plural } = resource;
  return {
    code: 404,
    reason: 'NotFound',
    message: `${groupResourceOf(resource)} ${JSON.stringify(name)} not found`,
    details: { name, ...(group !== '' && { group }), kind: plural },
  };
}

/** Returns the error of a version that the cache has not reached. */
export const tooLargeVersion = (asked: number, current: number): ApiStatus => ({
  code: 504,
  reason: 'Timeout',
  message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
  details: {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  },
});

/** Returns the error of a watch whose version is older than the known events. */
export const expiredVersion = (asked: number, oldest: number): ApiStatus => ({
  code: 410,
  reason: 'Expired',
  message: `too old resource version: ${asked} (${oldest})`,
});
