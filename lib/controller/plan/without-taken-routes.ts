import { type BlockingIssue, type ReconcilePlan } from './plan-step';
import { type TakenRoute } from './taken-routes';

/** Maximum number of routes that a message lists. */
const maxListed = 3;

/**
 * Returns a plan without the steps that would create or change an Ingress with taken routes, so that the older workload
 * keeps them. An existing Ingress stays as it is, and all other objects are planned as before.
 */
export function withoutTakenRoutes(plan: ReconcilePlan, taken: readonly TakenRoute[]): ReconcilePlan {
  if (taken.length === 0) return plan;
  const withheld = new Set(taken.map(({ ingress }) => ingress));
  const steps = plan.steps.filter(
    (step) => !(step.do === 'apply' && step.object.kind === 'Ingress' && withheld.has(step.object.metadata.name)),
  );
  const issues = [...withheld].map((ingress) =>
    issueOf(
      ingress,
      taken.filter((route) => route.ingress === ingress),
    ),
  );
  return { ...plan, steps, blockingIssues: [...plan.blockingIssues, ...issues] };
}

function issueOf(name: string, taken: readonly TakenRoute[]): BlockingIssue {
  const listed = taken
    .slice(0, maxListed)
    .map(({ route, owner: { kind, metadata } }) => `${route} of ${kind} ${metadata.namespace}/${metadata.name}`);
  const more = taken.length - listed.length;
  const routes = [...listed, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return {
    owner: 'application',
    reason: 'RouteConflict',
    kind: 'Ingress',
    name,
    message: `has routes of older workloads: ${routes}. An ingress controller serves only one of two, so this Ingress is neither created nor changed; its pods are not affected. Use another host name or path for one of the workloads.`,
  };
}
