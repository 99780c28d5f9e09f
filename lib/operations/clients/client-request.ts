import { type ApiRequest } from './api-request';
import { boundedName, serviceAccountOf } from '../../kube';
import { type ClientOwner, type ClientOwners } from './client-owners';
import { requestSeatSeconds, type StatsByResource } from './request-cost';
import { normalizeUserAgent } from './user-agent';

/** Project, account and program that requests come from. */
export interface ApiClientName {
  /** Namespace of a service account, or Project of a user; empty for other users. */
  readonly project: string;
  /** User name; all nodes count as `system:node:*`. */
  readonly account: string;
  /** Normalized user agent. */
  readonly userAgent: string;
}

/** Request of a known client, with its cost. */
export interface ClientRequest extends ApiRequest {
  readonly client: ApiClientName;
  readonly owner: ClientOwner | undefined;
  /** Seats times seconds, as API Priority and Fairness counts them. */
  readonly seatSeconds: number;
}

/** Maximum bytes of an account; names in certificates have no limit. */
const maxAccountBytes = 300;

/** Returns the project of an account: that of its owner, or the namespace of a service account, whether or not it has a Project. */
export const clientProjectOf = (account: string, owner: ClientOwner | undefined): string =>
  owner?.project ?? serviceAccountOf(account)?.namespace ?? '';

/** Returns the name that an account is counted by. */
export const shownAccount = (account: string): string =>
  account.startsWith('system:node:') ? 'system:node:*' : boundedName(account, maxAccountBytes);

/** Returns a request with its client and cost. */
export function attributeRequest(request: ApiRequest, owners: ClientOwners, stats: StatsByResource): ClientRequest {
  const owner = owners.ownerOf(request.account, request.groups);
  return {
    ...request,
    client: {
      project: clientProjectOf(request.account, owner),
      account: shownAccount(request.account),
      userAgent: normalizeUserAgent(request.userAgent),
    },
    owner,
    seatSeconds: requestSeatSeconds(request, stats),
  };
}
