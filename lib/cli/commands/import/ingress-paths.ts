import { fieldIfSet, type Fields } from './fields';
import { formatHostPath, formatTargets, isPattern, routesOf, type IngressRoute } from './ingress-routes';
import { literalPrefix } from './literal-prefix';
import { type NativeObject } from './native-object';
import { type RelatedObjects } from './related-objects';

/** Converts the routes of an Ingress to a Service to host names and paths, with notes on those that change. */
export function hostsAndPathsOf(ingress: NativeObject, service: string, source: RelatedObjects): Fields {
  const note = (path: string, message: string) => source.note(ingress, path, message);
  const routes = routesOf(ingress).filter((route) => route.service === service);
  const hosts = [...new Set(routes.flatMap(({ host }) => host ?? []))];
  const converted = routes.map((route) => ({ ...route, ...convertedPath(route) }));
  for (const route of routes) noteMatch(route, note);
  noteHostless(routes, hosts, note);
  noteNewRoutes(converted, hosts, note);
  const paths = converted.map(({ path, match }) => ({ path, match }));
  const distinct = [...new Map(paths.map((path) => [`${path.match} ${path.path}`, path])).values()];
  const [only] = distinct;
  const isEverything = distinct.length === 1 && only?.path === '/' && only.match === 'Prefix';
  return { ...fieldIfSet('hosts', hosts), ...fieldIfSet('paths', isEverything ? [] : distinct) };
}

type NoteRoute = (path: string, message: string) => void;

const convertedPath = (route: IngressRoute) => ({
  path: isPattern(route) ? literalPrefix(route.path) : route.path,
  match: route.pathType === 'Exact' ? 'Exact' : 'Prefix',
});

function noteMatch(route: IngressRoute, note: NoteRoute): void {
  const { path } = convertedPath(route);
  const subject = `spec.rules[${JSON.stringify(formatHostPath(route))}]`;
  if (isPattern(route))
    note(
      subject,
      `the ${route.pathType} path ${JSON.stringify(route.path)} is a pattern and becomes the prefix ${JSON.stringify(path)}, which also matches requests that the pattern does not, and distinguishes upper and lower case; change loadBalancer.paths, or keep this Ingress`,
    );
  else if (route.pathType === 'ImplementationSpecific')
    note(
      subject,
      `the path ${JSON.stringify(path)} of type ImplementationSpecific becomes a prefix; check that the ingress controller matches it in the same way`,
    );
}

function noteHostless(routes: readonly IngressRoute[], hosts: readonly string[], note: NoteRoute): void {
  const hostless = routes.filter(({ host }) => host === undefined);
  if (hostless.length === 0) return;
  const now = hosts.length > 0 ? hosts.join(', ') : 'the default host name of the workload';
  note(
    'spec.rules',
    `${formatTargets(hostless)} applied to every host name, which the Platform does not support; it now applies to ${now}; set loadBalancer.hosts`,
  );
}

/** Every path of a workload applies to each of its host names. */
function noteNewRoutes(
  routes: readonly (IngressRoute & { readonly match: string })[],
  hosts: readonly string[],
  note: NoteRoute,
): void {
  const keyOf = (host: string, { path, match }: { readonly path: string; readonly match: string }) =>
    `${host}${path}${match === 'Exact' ? ' (Exact)' : ''}`;
  const existing = new Set(routes.flatMap((route) => (route.host === undefined ? [] : keyOf(route.host, route))));
  const added = new Set(hosts.flatMap((host) => routes.map((route) => keyOf(host, route))));
  const fresh = [...added].filter((key) => !existing.has(key));
  if (fresh.length > 0)
    note(
      'spec.rules',
      `every path applies to every host name, which adds routes that did not exist: ${fresh.join(', ')}; remove hosts or paths of loadBalancer if they must not exist`,
    );
}
