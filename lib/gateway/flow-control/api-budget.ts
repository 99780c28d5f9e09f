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

/** Budgets where the Platform states none. */
export const defaultApiBudgets: DefaultApiBudgets = {
  project: { requestsPerSecond: 200, concurrentRequests: 100, bytesPerSecond: 64 * 1_024 * 1_024 },
  serviceAccount: { requestsPerSecond: 50, concurrentRequests: 20, bytesPerSecond: 32 * 1_024 * 1_024 },
  user: { requestsPerSecond: 50, concurrentRequests: 20, bytesPerSecond: 32 * 1_024 * 1_024 },
};
