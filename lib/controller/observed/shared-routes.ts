import { type Child } from './child';
import { type Stores } from './stores';

/** Route of a workload that an Ingress of another workload of its project has, too. */
export interface SharedRoute {
  /** Host name and path, such as `www.example.com/api`. */
  readonly route: string;
  /** The other workload, such as `PinterestService shop/till`. */
  readonly owner: string;
}

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
  const byText = new Map(shared.map((one) => [sharedRouteText(one), one]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** Formats a shared route, such as `www.example.com/api of PinterestService shop/till`. */
export const sharedRouteText = ({ route, owner }: SharedRoute): string => `${route} of ${owner}`;
