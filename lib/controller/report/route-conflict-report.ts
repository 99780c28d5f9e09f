import { conditionOf } from '../../api';
import { type SharedRoute, sharedRouteText } from '../observed/shared-routes';
import { type EventReason } from '../reasons';
import { type ConditionDraft } from './conditions';
import { type EventDraft, type ReportInput } from './report';

type Fields = Readonly<Record<string, unknown>>;

/** Type of the condition, and reason of the condition and the Event. */
const conflict = 'RouteConflict' satisfies EventReason;
/** Maximum number of routes that a message lists. */
const maxListed = 3;

/** Returns the condition RouteConflict while a workload shares routes. It says nothing about health: Ready ignores it. */
export function routeConflictConditions({ shared = [] }: ReportInput): readonly ConditionDraft[] {
  return shared.length === 0 ? [] : [{ type: conflict, status: 'True', reason: conflict, message: messageOf(shared) }];
}

/** Returns the Event of a route that is shared since the last status. */
export function eventsForSharedRoutes({ shared = [] }: ReportInput, previous: Fields, status: Fields): EventDraft[] {
  const now = conditionOf(status, conflict);
  if (!now) return [];
  const known = conditionOf(previous, conflict)?.message ?? '';
  const isKnown = listedOf(shared).every((text) => known.includes(text));
  return isKnown ? [] : [{ type: 'Warning', reason: conflict, message: now.message ?? '' }];
}

const listedOf = (shared: readonly SharedRoute[]): readonly string[] => shared.slice(0, maxListed).map(sharedRouteText);

function messageOf(shared: readonly SharedRoute[]): string {
  const more = shared.length - maxListed;
  const routes = [...listedOf(shared), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return `It shares routes with other workloads: ${routes}. An ingress controller serves only one of two. Use another host name or path for one of the workloads.`;
}
