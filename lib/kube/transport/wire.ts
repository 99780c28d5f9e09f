import { type IncomingHttpHeaders } from 'node:http';
import { ApiError } from './api-error';
import { type Impersonation } from '../config/connection-settings';

/** HTTP request to the API server. */
export interface WireRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Accept header. @default application/json */
  readonly accept?: string;
  /** @default - none */
  readonly contentType?: string;
  /** @default - none */
  readonly body?: string;
  /** Milliseconds until the response must be complete, or must start if its lines are streamed. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  /** Identity to impersonate. @default - the identity of the connection settings */
  readonly as?: Impersonation;
  /** Whether the request is idempotent: it is sent again when a reused connection turns out to be closed. */
  readonly repeatable: boolean;
  /** Receives the lines of a successful response as they arrive, instead of its text; an error that it throws aborts the request. */
  readonly onLine?: (line: string) => void;
  /** Called right before each send; an error that it throws prevents the send. */
  readonly check?: (() => void) | undefined;
  /** Called when the response starts. */
  readonly onStatus?: (status: number) => void;
}

/** HTTP response of the API server. */
export interface WireResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Body; empty if lines were streamed. */
  readonly text: string;
}

/** Returns the error of a request without a response. */
export const unreachableError = ({ method, path }: WireRequest, message: string, cause?: Error): ApiError =>
  new ApiError(0, 'Unreachable', `${method} ${path}: ${message}`, {}, { cause });
