import type * as z from 'zod';
import { type Caller, type OperationName, type operations } from '../../contract';
import { type SubmissionService } from '../service';

type Input<N extends OperationName, K extends string> =
  (typeof operations)[N] extends Readonly<Record<K, infer S>>
    ? S extends z.ZodType
      ? z.output<S>
      : undefined
    : undefined;

/** Parsed input of an operation. */
export interface Call<N extends OperationName> {
  readonly caller: Caller;
  readonly params: Input<N, 'params'>;
  readonly query: Input<N, 'query'>;
  readonly body: Input<N, 'body'>;
  readonly idempotencyKey: string;
  /** Number of the event after which a stream resumes. */
  readonly after: number;
  /** Aborts when the client of a stream disconnects. */
  readonly signal: AbortSignal;
}

/** Method of the service for each operation. */
export const calls: {
  readonly [N in OperationName]: (
    service: SubmissionService,
    call: Call<N>,
  ) => Promise<(typeof operations)[N]['response'] extends { readonly stream: true } ? AsyncIterable<object> : object>;
} = {
  me: async (_, { caller }) => caller,
  projects: (service, { caller, query }) => service.projects(caller, query),
  clients: (service, { caller, query }) => service.clients(caller, query),
  rollouts: (service, { caller, query }) => service.rollouts(caller, query),
  workloads: (service, { caller, query }) => service.workloads(caller, query),
  workload: (service, { caller, params }) => service.workload(caller, params),
  versions: (service, { caller, params, query }) => service.versions(caller, { ...query, ...params }),
  preview: (service, { caller, body }) => service.preview(caller, body),
  deploy: (service, { caller, idempotencyKey, body }) => service.deploy({ caller, idempotencyKey }, body),
  rollBack: (service, { caller, idempotencyKey, body }) => service.rollBack({ caller, idempotencyKey }, body),
  cancel: (service, { caller, params }) => service.cancel(caller, params.id),
  approve: (service, { caller, body }) => service.approve(caller, body),
  deployments: (service, { caller, query }) => service.deployments(caller, query),
  deployment: (service, { caller, params }) => service.deployment(caller, params.id),
  diff: (service, { caller, params }) => service.diff(caller, params.id),
  follow: (service, { caller, params, after, signal }) => service.follow(caller, params.id, after, { signal }),
  changes: (service, { caller, query, signal }) => service.changes(caller, query, { signal }),
};
