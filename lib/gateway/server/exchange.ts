import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type AdmittedRead } from '../flow-control/flow-control';
import { type RequestRecord } from '../metrics/request-record';
import { type Requested } from './open-requests';

/** Request of an authenticated client that is in its budgets, and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requested: Requested;
  readonly record: RequestRecord;
  readonly admitted: AdmittedRead;
}
