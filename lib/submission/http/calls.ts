import type * as z from 'zod';
import { type Caller, type OperationName, type operations } from '../../contract';
import { type SubmissionService } from '../service';

type Said<N extends OperationName, K extends string> =
  (typeof operations)[N] extends Readonly<Record<K, infer S>>
    ? S extends z.ZodType
      ? z.output<S>
      : undefined
    : undefined;

/** What an operation was asked, in the form that its shapes give. */
export interface Call<N extends OperationName> {
  readonly caller: Caller;
  readonly params: Said<N, 'params'>;
  readonly query: Said<N, 'query'>;
  readonly body: Said<N, 'body'>;
  readonly idempotencyKey: string;
  /** Number of the event after which a stream goes on. */
  readonly after: number;
  /** Raised when a stream has no reader any more. */
  readonly signal: AbortSignal;
}

/** What the service does for each operation. */
export const calls: {
  readonly [N in OperationName]: (
    service: SubmissionService,
    call: Call<N>,
  ) => Promise<(typeof operations)[N]['answer'] extends { readonly stream: true } ? AsyncIterable<object> : object>;
} = {
  me: async (_, { caller }) => caller,
  projects: (service, { caller, query }) => service.projects(caller, query),
  workloads: (service, { caller, query }) => service.workloads(caller, query),
  workload: (service, { caller, params }) => service.workload(caller, params),
  versions: (service, { caller, params, query }) => service.versions(caller, { ...query, ...params }),
  check: (service, { caller, body }) => service.check(caller, body),
  deploy: (service, { caller, idempotencyKey, body }) => service.deploy({ caller, idempotencyKey }, body),
  rollBack: (service, { caller, idempotencyKey, body }) => service.rollBack({ caller, idempotencyKey }, body),
  cancel: (service, { caller, params }) => service.cancel(caller, params.id),
  approve: (service, { caller, body }) => service.approve(caller, body),
  deployments: (service, { caller, query }) => service.deployments(caller, query),
  deployment: (service, { caller, params }) => service.deployment(caller, params.id),
  difference: (service, { caller, params }) => service.difference(caller, params.id),
  follow: (service, { caller, params, after, signal }) => service.follow(caller, params.id, after, { signal }),
  changes: (service, { caller, query, signal }) => service.changes(caller, query, { signal }),
};
