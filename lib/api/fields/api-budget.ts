import * as z from 'zod';
import { integer, text } from '../schema/field';

/** Limits of a budget of reads through the gateway, as the Platform and Projects state them. */
export interface ApiBudgetLimits {
  readonly requestsPerSecond: number;
  readonly concurrentRequests: number;
  readonly bytesPerSecond: string;
}

/** Who a budget counts: all service accounts of a project together, each of them, or each user. */
export type ApiBudgetSubject = 'project' | 'serviceAccount' | 'user';

/** Budgets where the Platform states none. */
export const standardApiBudgets: Readonly<Record<ApiBudgetSubject, ApiBudgetLimits>> = {
  project: { requestsPerSecond: 200, concurrentRequests: 100, bytesPerSecond: '64Mi' },
  serviceAccount: { requestsPerSecond: 50, concurrentRequests: 20, bytesPerSecond: '32Mi' },
  user: { requestsPerSecond: 50, concurrentRequests: 20, bytesPerSecond: '32Mi' },
};

const rate = () => integer(1, 100_000);
const concurrency = () => integer(1, 10_000);
const bytes = () =>
  text({ pattern: /^[1-9][0-9]{0,5}(Ki|Mi|Gi)$/, what: 'an amount of bytes in Ki, Mi or Gi', example: '32Mi', max: 8 });

const descriptions: Readonly<Record<keyof ApiBudgetLimits, string>> = {
  requestsPerSecond: 'Average rate of reads; twice as many may come at once.',
  concurrentRequests: 'Reads in progress; a watch counts only while it starts.',
  bytesPerSecond: 'Average size of the responses.',
};

const ofPlatform = (name: keyof ApiBudgetLimits): string => `${descriptions[name]} Defaults to the Platform's.`;

/** Fields of a budget of a Project. */
export const apiBudgetFields = () => ({
  requestsPerSecond: rate().optional().describe(ofPlatform('requestsPerSecond')),
  concurrentRequests: concurrency().optional().describe(ofPlatform('concurrentRequests')),
  bytesPerSecond: bytes().optional().describe(ofPlatform('bytesPerSecond')),
});

const platformBudget = (subject: ApiBudgetSubject) => {
  const { requestsPerSecond, concurrentRequests, bytesPerSecond } = standardApiBudgets[subject];
  return z
    .strictObject({
      requestsPerSecond: rate().default(requestsPerSecond).describe(descriptions.requestsPerSecond),
      concurrentRequests: concurrency().default(concurrentRequests).describe(descriptions.concurrentRequests),
      bytesPerSecond: bytes().default(bytesPerSecond).describe(descriptions.bytesPerSecond),
    })
    .prefault({});
};

/** Schema of `Platform.spec.defaultApiBudget`. */
export const defaultApiBudget = () =>
  z
    .strictObject({
      project: platformBudget('project').describe('Budget of all service accounts of a project.'),
      serviceAccount: platformBudget('serviceAccount').describe('Budget of each service account.'),
      user: platformBudget('user').describe('Budget of each user outside the platform team.'),
    })
    .prefault({})
    .describe('Default budgets of reads through the gateway to the API server.');
