import { conditionOf } from '../../api';
import { type Child } from '../observed/child';
import { type Stores } from '../observed/stores';
import { type EventReason } from '../reasons';
import { type ConditionDraft } from './conditions';
import { type EventDraft, type ReportInput } from './report';

type Fields = Readonly<Record<string, unknown>>;

/** Route of a workload that an Ingress of another workload of its project has, too. */
export interface SharedRoute {
  /** Host name and path, such as `www.example.com/api`. */
  readonly route: string;
  /** The other workload, such as `PinterestService shop/till`. */
  readonly owner: string;
}

/** Type of the condition, and reason of the condition and the Event. */
const conflict = 'RouteConflict' satisfies EventReason;
/** Maximum number of routes that a message lists. */
const maxListed = 3;

/** Lists the routes of the live Ingresses of a workload that Ingresses of other workloads have, too, in a stable order. */
export function sharedRoutes(owned: readonly Child[], stores: Pick<Stores, 'routeRivals'>): readonly SharedRoute[] {
  const shared = owned.flatMap((ingress) => {
    const texts = new Map((ingress.routes ?? []).map(({ key, text }) => [key, text]));
    return stores.routeRivals(ingress).flatMap(({ controller, namespace, routes = [] }) =>
      routes.flatMap(({ key }) => {
        const route = texts.get(key);
        return route === undefined || !controller
          ? []
          : [{ route, owner: `${controller.kind} ${namespace}/${controller.name}` }];
      }),
    );
  });
  const byText = new Map(shared.map((one) => [textOf(one), one]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

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

const textOf = ({ route, owner }: SharedRoute): string => `${route} of ${owner}`;

const listedOf = (shared: readonly SharedRoute[]): readonly string[] => shared.slice(0, maxListed).map(textOf);

function messageOf(shared: readonly SharedRoute[]): string {
  const more = shared.length - maxListed;
  const routes = [...listedOf(shared), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return `It shares routes with other workloads: ${routes}. An ingress controller serves only one of two. Use another host name or path for one of the workloads.`;
}
