import * as z from 'zod';
import { numberOf, parseDuration, parseQuantity } from '../../api';
import { type ApiBudget, type ApiBudgets, type DefaultApiBudgets } from './api-budget';

const limits = z.object({
  requestsPerSecond: z.number().optional(),
  concurrentRequests: z.number().optional(),
  bytesPerSecond: z.string().optional(),
});

type StatedLimits = z.infer<typeof limits>;

const projectSchema = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({ apiBudget: limits.extend({ serviceAccount: limits.optional() }).optional() }),
});

const names = z.array(z.string()).default([]);
const platformSchema = z.object({
  spec: z.object({
    administrators: names,
    breakGlass: names,
    systemNamespaces: z.array(z.object({ name: z.string() })).default([]),
    runtime: z.object({ project: z.string().optional() }).default({}),
    defaultApiBudget: z
      .object({ project: limits.optional(), serviceAccount: limits.optional(), user: limits.optional() })
      .optional(),
    boundedReads: z.array(z.object({ resource: z.string(), maxAge: z.string() })).default([]),
    gateway: z.object({ certificateAuthority: z.string().optional(), replicas: z.number().optional() }).default({}),
  }),
});

/** What a Project states about its budgets; undefined if it leaves them to the Platform. */
export interface ProjectBudget {
  readonly project: string;
  readonly stated: z.infer<typeof projectSchema>['spec']['apiBudget'];
}

/** What the Platform states about clients. */
export type PlatformClients = z.infer<typeof platformSchema>['spec'];

/** Reads the budgets of a Project. Throws for an object that is not one. */
export function projectBudgetOf(object: unknown): ProjectBudget {
  const { metadata, spec } = projectSchema.parse(object);
  return { project: metadata.name, stated: spec.apiBudget };
}

/** Reads what the Platform states about clients. Throws for an object that is not one. */
export const platformClientsOf = (object: unknown): PlatformClients => platformSchema.parse(object).spec;

/** Returns the default budgets of a Platform; those it does not state are the given ones. */
export function platformBudgets(
  { defaultApiBudget = {} }: Partial<PlatformClients>,
  otherwise: DefaultApiBudgets,
): DefaultApiBudgets {
  return {
    project: budgetOf(defaultApiBudget.project, otherwise.project),
    serviceAccount: budgetOf(defaultApiBudget.serviceAccount, otherwise.serviceAccount),
    user: budgetOf(defaultApiBudget.user, otherwise.user),
  };
}

/** Returns the budgets of a Project; those it does not state are the given ones. */
export const projectBudgets = ({ stated }: ProjectBudget, otherwise: ApiBudgets): ApiBudgets => ({
  project: budgetOf(stated, otherwise.project),
  serviceAccount: budgetOf(stated?.serviceAccount, otherwise.serviceAccount),
});

/** Returns the maximum ages of reads without a version, in milliseconds, by resource. */
export const maxAgesOf = ({ boundedReads = [] }: Partial<PlatformClients>): ReadonlyMap<string, number> =>
  new Map(boundedReads.map(({ resource, maxAge }) => [resource, parseDuration(maxAge)?.millis ?? 0]));

function budgetOf(stated: StatedLimits | undefined, otherwise: ApiBudget): ApiBudget {
  const { requestsPerSecond, concurrentRequests, bytesPerSecond } = stated ?? {};
  const bytes = bytesPerSecond === undefined ? undefined : parseQuantity(bytesPerSecond);
  return {
    requestsPerSecond: requestsPerSecond ?? otherwise.requestsPerSecond,
    concurrentRequests: concurrentRequests ?? otherwise.concurrentRequests,
    bytesPerSecond: bytes ? numberOf(bytes) : otherwise.bytesPerSecond,
  };
}
