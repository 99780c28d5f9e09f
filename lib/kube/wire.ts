import { type IncomingHttpHeaders } from 'node:http';
import { ApiError } from './api-error';
import { type Impersonation } from './connection-settings';

/** What goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  /** What the answer may be. @default application/json */
  readonly accept?: string;
  /** @default - none */
  readonly contentType?: string;
  /** @default - none */
  readonly body?: string;
  /** Milliseconds until the answer must be there whole; where lines are streamed, until it begins. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  /** In whose name the server is to act. @default - as the settings of the connection say */
  readonly as?: Impersonation;
  /** Whether the server may see it twice without harm: it is sent again when a kept connection proves dead. */
  readonly repeatable: boolean;
  /** Takes the lines of a successful answer as they come, in place of its text; what it throws ends the request. */
  readonly onLine?: (line: string) => void;
  /** Called right before it goes out, each time that it does; what it throws is why it does not. */
  readonly check?: (() => void) | undefined;
  /** Told when the answer begins. */
  readonly onHead?: (status: number) => void;
}

/** What came back over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Empty where lines were streamed. */
  readonly text: string;
}

/** What a request fails with to which no answer came. */
export const unreachable = ({ method, path }: WireRequest, what: string, cause?: Error): ApiError =>
  new ApiError(0, 'Unreachable', `${method} ${path}: ${what}`, {}, { cause });
