import { type WorkloadView } from '../../contract';

/** Filter of the workload list. */
export interface WorkloadFilter {
  /** Words to find in names, causes and artifacts. */
  readonly text?: string;
  readonly project?: string;
  readonly target?: string;
  readonly kind?: string;
  readonly notReady?: boolean;
}

/** Filter of the deployment list. */
export interface DeploymentFilter {
  readonly project?: string;
  readonly workflow?: string;
  readonly stage?: string;
}

/** Version and stage to deploy or roll back to. */
export interface DeploySelection {
  readonly project?: string;
  readonly workflow?: string;
  readonly version?: string;
  readonly stage?: string;
}

/** View and its parameters. */
export type Route =
  | { readonly page: 'overview' }
  | { readonly page: 'workloads'; readonly filter: WorkloadFilter }
  | ({ readonly page: 'workload' } & Pick<WorkloadView, 'project' | 'target' | 'name'> & { readonly kind: string })
  | { readonly page: 'clients' }
  | { readonly page: 'rollouts' }
  | { readonly page: 'deployments'; readonly filter: DeploymentFilter }
  | { readonly page: 'deployment'; readonly id: string }
  | { readonly page: 'deploy' | 'rollback'; readonly selection: DeploySelection }
  | { readonly page: 'not-found' };

/** Returns the URL fragment of a route. */
export function formatRoute(route: Route): string {
  switch (route.page) {
    case 'overview':
      return '#/';
    case 'clients':
    case 'rollouts':
      return `#/${route.page}`;
    case 'workloads':
      return `#/workloads${query({ ...route.filter, notReady: route.filter.notReady ? 'yes' : undefined })}`;
    case 'workload':
      return `#/workloads/${[route.project, route.target, route.kind, route.name].map(encodeURIComponent).join('/')}`;
    case 'deployments':
      return `#/deployments${query({ ...route.filter })}`;
    case 'deployment':
      return `#/deployments/${encodeURIComponent(route.id)}`;
    case 'deploy':
    case 'rollback':
      return `#/${route.page}${query({ ...route.selection })}`;
    case 'not-found':
      return '#/not-found';
  }
}

/** Parses a URL fragment; returns `not-found` for an unknown one. */
export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#/, '').split(/\?(.*)/s);
  const segments = path.split('/').slice(1).map(decodeSegment);
  const params = new URLSearchParams(search);
  const [page, first = '', target = '', kind = '', name = ''] = segments;
  if (page === undefined || page === '') return { page: 'overview' };
  if ((page === 'clients' || page === 'rollouts') && segments.length === 1) return { page };
  if (page === 'workloads' && segments.length === 1) return { page, filter: workloadFilter(params) };
  if (page === 'workloads' && segments.length === 5) return { page: 'workload', project: first, target, kind, name };
  if (page === 'deployments' && segments.length === 1)
    return { page, filter: pick(params, ['project', 'workflow', 'stage']) };
  if (page === 'deployments' && segments.length === 2) return { page: 'deployment', id: first };
  if ((page === 'deploy' || page === 'rollback') && segments.length === 1)
    return { page, selection: pick(params, ['project', 'workflow', 'version', 'stage']) };
  return { page: 'not-found' };
}

/** Returns whether two routes share a view, so that the focus stays. */
export function isSameView(one: Route, other: Route): boolean {
  if (one.page === 'workload' || one.page === 'deployment') return formatRoute(one) === formatRoute(other);
  return one.page === other.page;
}

/** Returns the URL of the login page that redirects back to a route. */
export const signInUrl = (route: Route): string => `/login?return=${encodeURIComponent(`/${formatRoute(route)}`)}`;

const workloadFilter = (params: URLSearchParams): WorkloadFilter => ({
  ...pick(params, ['text', 'project', 'target', 'kind']),
  ...(params.get('notReady') === 'yes' && { notReady: true }),
});

function pick<Name extends string>(
  params: URLSearchParams,
  names: readonly Name[],
): { readonly [name in Name]?: string } {
  const picked: { [name in Name]?: string } = {};
  for (const name of names) {
    const value = params.get(name);
    if (value !== null && value !== '') picked[name] = value;
  }
  return picked;
}

function query(values: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined && value !== '') search.set(name, value);
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

/** Decodes a path segment; one with an invalid encoding is returned unchanged. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
