import { type ClientAccount } from '../identity/client-account';
import { type ApiStatus } from '../reads/api-status';
import { type ApiBudget } from './api-budget';
import { type BudgetExcess } from './budget-meter';
import { type BudgetScope, type FlowLevel } from './flow-policy';
import { type OpenWatchExcess } from './open-watches';

const unitOf: Readonly<Record<keyof ApiBudget, string>> = {
  requestsPerSecond: 'requests per second',
  concurrentRequests: 'concurrent requests',
  bytesPerSecond: 'bytes per second',
};

/** Returns the error of a request beyond a budget: which one, and what to do. */
export function exceededBudget(
  account: ClientAccount,
  scope: BudgetScope,
  budget: ApiBudget,
  { limit, after }: BudgetExcess,
): ApiStatus {
  const subject = subjectOf(account, scope);
  const field = fieldOf(account, scope, limit);
  return tooMany(
    `${subject} exceeds its API budget of ${budget[limit]} ${unitOf[limit]}; watch instead of polling, read less at a ` +
      `time, or have ${field} raised`,
    after,
  );
}

/** Returns the error of a request for which its level had no seats in time. */
export const noSeats = (level: FlowLevel): ApiStatus =>
  tooMany(`the gateway is busy with other requests of the level "${level}", please try again later`, 1_000);

/** Returns the error of a watch beyond those that an account or a project may have open. */
export const tooManyWatches = (account: ClientAccount, { scope, limit }: OpenWatchExcess): ApiStatus =>
  tooMany(
    `${subjectOf(account, scope)} has ${limit} open watches at this gateway, its limit; close those that are not needed, ` +
      `or let clients share one`,
    10_000,
  );

function subjectOf({ project, name }: ClientAccount, scope: BudgetScope): string {
  if (scope === 'user') return `user ${JSON.stringify(name)}`;
  return scope === 'project'
    ? `Project ${JSON.stringify(project)}`
    : `service account ${JSON.stringify(`${project}/${name}`)}`;
}

function fieldOf({ project }: ClientAccount, scope: BudgetScope, limit: keyof ApiBudget): string {
  if (scope === 'user') return `spec.defaultApiBudget.user.${limit} of the Platform`;
  const field = scope === 'project' ? limit : `serviceAccount.${limit}`;
  return `spec.apiBudget.${field} of Project ${JSON.stringify(project)}`;
}

/** Returns the API server's error of too many requests, with the seconds after which the client may try again. */
const tooMany = (message: string, after: number): ApiStatus => ({
  code: 429,
  reason: 'TooManyRequests',
  message,
  details: { retryAfterSeconds: Math.min(60, Math.max(1, Math.ceil(after / 1_000))) },
});
