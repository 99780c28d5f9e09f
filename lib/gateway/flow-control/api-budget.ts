import { type ApiBudgetSubject, numberOf, parseQuantity, standardApiBudgets } from '../../api';

/** Limits of the reads of a project, a service account or a user. */
export interface ApiBudget {
  /** Average rate; twice as many may come at once. */
  readonly requestsPerSecond: number;
  /** Reads in progress; a watch counts until its initial events are sent. */
  readonly concurrentRequests: number;
  /** Average size of the responses; that of two seconds may come at once. */
  readonly bytesPerSecond: number;
}

/** Budgets of the clients of one project. */
export interface ApiBudgets {
  /** All service accounts of the project together. */
  readonly project: ApiBudget;
  /** Each service account. */
  readonly serviceAccount: ApiBudget;
}

/** Budgets of clients of which nothing else is stated. */
export interface DefaultApiBudgets extends ApiBudgets {
  /** Each user. */
  readonly user: ApiBudget;
}

const standardBudget = (subject: ApiBudgetSubject): ApiBudget => {
  const { bytesPerSecond, ...limits } = standardApiBudgets[subject];
  const bytes = parseQuantity(bytesPerSecond);
  if (!bytes) throw new TypeError(`${bytesPerSecond} is not a quantity`);
  return { ...limits, bytesPerSecond: numberOf(bytes) };
};

/** Budgets where the Platform states none. */
export const defaultApiBudgets: DefaultApiBudgets = {
  project: standardBudget('project'),
  serviceAccount: standardBudget('serviceAccount'),
  user: standardBudget('user'),
};
