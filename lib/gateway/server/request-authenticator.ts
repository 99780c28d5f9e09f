import { type IncomingMessage } from 'node:http';
import { type DeletedIdentities } from '../identity/deleted-identities';
import { tokenOf } from '../identity/bearer-token';
import { forwardingError } from '../identity/impersonated-caller';
import { TooManyReviews, type TokenReviews } from '../identity/token-reviews';
import { type GatewayMetrics } from '../metrics/gateway-metrics';
import { asksImpersonation } from '../proxy/forwarded-headers';
import { type ApiStatus } from '../reads/api-status';
import { queryOf } from '../requests/parse-query';
import { requestInfo, type RequestInfo } from '../requests/request-info';
import { type Requested } from './open-requests';

/** Error of a client that is not, or no longer, authenticated. */
export const unauthorized: ApiStatus = { code: 401, reason: 'Unauthorized', message: 'Unauthorized' };

const notAPath: ApiStatus = { code: 400, reason: 'BadRequest', message: 'the target of the request is not a path' };
const impersonating: ApiStatus = {
  code: 403,
  reason: 'Forbidden',
  message: 'the gateway does not pass impersonation on; send this request to the API server',
};
const overloaded: ApiStatus = {
  code: 429,
  reason: 'TooManyRequests',
  message: 'too many clients are being authenticated, please try again later',
  details: { retryAfterSeconds: 1 },
};
const failed: ApiStatus = {
  code: 503,
  reason: 'ServiceUnavailable',
  message: 'the gateway cannot authenticate clients now',
  details: { retryAfterSeconds: 1 },
};

/** What authenticates requests. */
export interface RequestAuthenticatorOptions {
  readonly tokens: TokenReviews;
  readonly deleted: DeletedIdentities;
  readonly metrics: GatewayMetrics;
  readonly onError: (error: unknown) => void;
}

/** Returns where a request came from; a connection that was reset meanwhile has no address, and its client counts as new. */
const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? 'unknown';

/** Authenticates the clients of requests. */
export class RequestAuthenticator {
  constructor(private readonly options: RequestAuthenticatorOptions) {}

  /** Returns who sends a request and what it asks for, or its error. */
  async authenticate(request: IncomingMessage): Promise<Requested | ApiStatus> {
    const { headers, url = '' } = request;
    const { metrics, onError } = this.options;
    if (!url.startsWith('/')) return notAPath;
    const token = tokenOf(headers);
    if (token === undefined) return unauthorized;
    if (asksImpersonation(headers)) return impersonating;
    try {
      const caller = await this.options.tokens.review(token, addressOf(request));
      const isAccepted = caller !== undefined && !this.options.deleted.includes(caller);
      metrics.countReview(isAccepted ? 'accepted' : 'rejected');
      if (!isAccepted) return unauthorized;
      const message = forwardingError(caller);
      if (message !== undefined) return { code: 403, reason: 'Forbidden', message };
      return { caller, token, info: infoOf(request) };
    } catch (error) {
      const isBusy = error instanceof TooManyReviews;
      metrics.countReview(isBusy ? 'busy' : 'failed');
      if (isBusy) return overloaded;
      onError(error);
      return failed;
    }
  }
}

function infoOf(request: IncomingMessage): RequestInfo | undefined {
  const { method = '', url = '' } = request;
  return requestInfo(method, url.replace(/\?.*$/s, ''), queryOf(request).parameters);
}
