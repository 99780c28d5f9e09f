import { valueAt } from '../../../api';
import { entriesAt, fieldsAt, textAt, type Fields } from './fields';
import { type NativeObject } from './native-object';

/** What an Ingress does with the requests for a path. */
export interface IngressRoute {
  /** Undefined for all host names. */
  readonly host: string | undefined;
  readonly path: string;
  readonly pathType: string;
  readonly service: string | undefined;
  /** Port of the Service, by number or name. */
  readonly port: unknown;
}

/** Returns the routes of an Ingress; its default backend is one for all host names and paths. */
export function routesOf(ingress: NativeObject): readonly IngressRoute[] {
  const routes = entriesAt(ingress, 'spec', 'rules').flatMap((rule) =>
    entriesAt(rule, 'http', 'paths').map((path) => ({
      host: textAt(rule, 'host'),
      path: textAt(path, 'path') ?? '/',
      pathType: textAt(path, 'pathType') ?? 'ImplementationSpecific',
      ...backendOf(fieldsAt(path, 'backend')),
    })),
  );
  if (valueAt(ingress, ['spec', 'defaultBackend']) === undefined) return routes;
  const backend = backendOf(fieldsAt(ingress, 'spec', 'defaultBackend'));
  return [...routes, { host: undefined, path: '/', pathType: 'Prefix', ...backend }];
}

const backendOf = (backend: Fields) => ({
  service: textAt(backend, 'service', 'name'),
  port: valueAt(backend, ['service', 'port', 'number']) ?? valueAt(backend, ['service', 'port', 'name']),
});

/** Returns a route as `cart.example.com/api`; `*` stands for all host names. */
export const formatHostPath = ({ host = '*', path }: Pick<IngressRoute, 'host' | 'path'>): string => `${host}${path}`;

/** Returns routes with what they lead to, such as `cart.example.com/api (Prefix) to search:80`. */
export const formatTargets = (routes: readonly IngressRoute[]): string =>
  routes
    .map((route) => {
      const port = route.port === undefined ? '' : `:${String(route.port)}`;
      return `${formatHostPath(route)} (${route.pathType}) to ${route.service ?? 'a resource'}${port}`;
    })
    .join(', ');

const special = /[()[\]{}*+?|\\^$]/;

/** Returns whether a path is a regular expression, or a pattern of the ingress controller. */
export const isPattern = ({ path, pathType }: IngressRoute): boolean => pathType !== 'Exact' && special.test(path);
