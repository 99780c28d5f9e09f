import { type ProblemResponseDetails, ProblemResponse } from '../problem-response';

/** Error response of the HTTP layer, with additional headers. */
export class HttpRejection extends ProblemResponse {
  constructor(
    status: number,
    details: ProblemResponseDetails,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(status, details);
  }
}

/** Name of a limit, as in settings and metrics. */
export type LimitName =
  | 'unauthenticatedRate'
  | 'readRate'
  | 'writeRate'
  | 'maxInFlight'
  | 'maxInFlightPerCaller'
  | 'maxInFlightUnauthenticated'
  | 'maxStreams'
  | 'maxStreamsPerCaller'
  | 'maxStreamsPerProject'
  | 'responseTimeoutMs';

const responses: Readonly<Record<LimitName, { readonly status: 429 | 503; readonly detail: string }>> = {
  unauthenticatedRate: { status: 429, detail: 'Too many unauthenticated requests from this address.' },
  readRate: { status: 429, detail: 'Too many read requests from this caller.' },
  writeRate: { status: 429, detail: 'Too many write and preview requests from this caller.' },
  maxInFlight: { status: 503, detail: 'Too many concurrent requests.' },
  maxInFlightPerCaller: { status: 429, detail: 'Too many concurrent requests from this caller.' },
  maxInFlightUnauthenticated: { status: 503, detail: 'Too many concurrent unauthenticated requests.' },
  maxStreams: { status: 503, detail: 'Too many open streams.' },
  maxStreamsPerCaller: { status: 429, detail: 'Too many open streams from this caller; close one.' },
  maxStreamsPerProject: { status: 429, detail: 'Too many open streams of members of this project; close one.' },
  responseTimeoutMs: {
    status: 503,
    detail: 'The request timed out; it may still complete. Retry.',
  },
};

/** Thrown when a request exceeds a limit. */
export class LimitExceeded extends HttpRejection {
  constructor(
    readonly limit: LimitName,
    milliseconds: number,
  ) {
    const { status, detail } = responses[limit];
    const title = status === 429 ? 'Too Many Requests' : 'Service Unavailable';
    super(status, { title, detail, retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)) });
  }
}
