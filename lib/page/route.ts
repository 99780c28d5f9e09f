import { type WorkloadView } from '../contract';

/** Which workloads of all are listed. */
export interface WorkloadFilter {
  /** Words that are looked for in names, causes and artifacts. */
  readonly text?: string;
  readonly project?: string;
  readonly target?: string;
  readonly kind?: string;
  readonly notReady?: boolean;
}

/** Which deployments of all are listed. */
export interface DeploymentFilter {
  readonly project?: string;
  readonly workflow?: string;
  readonly stage?: string;
}

/** Version to deploy or to roll back to. */
export interface Choice {
  readonly project?: string;
  readonly workflow?: string;
  readonly version?: string;
  readonly stage?: string;
}

/** What the page shows. */
export type Route =
  | { readonly page: 'overview' }
  | { readonly page: 'workloads'; readonly filter: WorkloadFilter }
  | ({ readonly page: 'workload' } & Pick<WorkloadView, 'project' | 'target' | 'name'> & { readonly kind: string })
  | { readonly page: 'deployments'; readonly filter: DeploymentFilter }
  | { readonly page: 'deployment'; readonly id: string }
  | { readonly page: 'deploy' | 'rollback'; readonly choice: Choice }
  | { readonly page: 'nowhere' };

/** The part of the address behind the number sign that leads to a route. */
export function formatRoute(route: Route): string {
  switch (route.page) {
    case 'overview':
      return '#/';
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
      return `#/${route.page}${query({ ...route.choice })}`;
    case 'nowhere':
      return '#/nowhere';
  }
}

/** The route that a part of the address leads to. */
export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#/, '').split(/\?(.*)/s);
  const steps = path.split('/').slice(1).map(decoded);
  const given = new URLSearchParams(search);
  const [page, first = '', target = '', kind = '', name = ''] = steps;
  if (page === undefined || page === '') return { page: 'overview' };
  if (page === 'workloads' && steps.length === 1) return { page, filter: workloadFilter(given) };
  if (page === 'workloads' && steps.length === 5) return { page: 'workload', project: first, target, kind, name };
  if (page === 'deployments' && steps.length === 1)
    return { page, filter: pick(given, ['project', 'workflow', 'stage']) };
  if (page === 'deployments' && steps.length === 2) return { page: 'deployment', id: first };
  if ((page === 'deploy' || page === 'rollback') && steps.length === 1)
    return { page, choice: pick(given, ['project', 'workflow', 'version', 'stage']) };
  return { page: 'nowhere' };
}

/** Whether two routes are the same view, so that going from one to the other moves no focus. */
export function isSameView(one: Route, other: Route): boolean {
  if (one.page === 'workload' || one.page === 'deployment') return formatRoute(one) === formatRoute(other);
  return one.page === other.page;
}

/** Where to sign in, and come back to a route. */
export const signInAddress = (route: Route): string => `/login?return=${encodeURIComponent(`/${formatRoute(route)}`)}`;

const workloadFilter = (given: URLSearchParams): WorkloadFilter => ({
  ...pick(given, ['text', 'project', 'target', 'kind']),
  ...(given.get('notReady') === 'yes' && { notReady: true }),
});

function pick<Name extends string>(
  given: URLSearchParams,
  names: readonly Name[],
): { readonly [name in Name]?: string } {
  const picked: { [name in Name]?: string } = {};
  for (const name of names) {
    const value = given.get(name);
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

/** Decodes an address; a badly encoded one is used as it is. */
function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
