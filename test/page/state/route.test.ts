import fc from 'fast-check';
import { formatRoute, isSameView, parseRoute, type Route, signInUrl } from '../../../lib/page/state/route';

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
const optional = { requiredKeys: [] as never[] };
const routes: fc.Arbitrary<Route> = fc.oneof(
  fc.constantFrom<Route>({ page: 'overview' }, { page: 'clients' }, { page: 'rollouts' }),
  fc
    .record({ text, project: text, target: text, kind: text, notReady: fc.constant(true) }, optional)
    .map((filter): Route => ({ page: 'workloads', filter })),
  fc.record({ page: fc.constant('workload' as const), project: text, target: text, kind: text, name: text }),
  fc
    .record({ project: text, workflow: text, stage: text }, optional)
    .map((filter): Route => ({ page: 'deployments', filter })),
  text.map((id): Route => ({ page: 'deployment', id })),
  fc
    .tuple(
      fc.constantFrom('deploy' as const, 'rollback' as const),
      fc.record({ project: text, workflow: text, version: text, stage: text }, optional),
    )
    .map(([page, selection]): Route => ({ page, selection })),
);

test('a formatted URL fragment parses to the same route, with any names', () => {
  fc.assert(fc.property(routes, (route) => expect(parseRoute(formatRoute(route))).toEqual(route)));
});

test('every URL fragment has a route', () => {
  fc.assert(fc.property(fc.string(), (hash) => expect(parseRoute(`#${hash}`).page).toEqual(expect.any(String))));
  expect(parseRoute('')).toEqual({ page: 'overview' });
  expect(parseRoute('#/workloads/%E0%A4%A').page).toBe('not-found');
  expect(parseRoute('#/else')).toEqual({ page: 'not-found' });
});

test('the login returns to the previous page', () => {
  const url = signInUrl({ page: 'workloads', filter: { text: 'a&b=c' } });
  expect(new URL(url, 'https://x').searchParams.get('return')).toBe('/#/workloads?text=a%26b%3Dc');
});

test('another filter is the same view, another workload is not', () => {
  const one: Route = { page: 'workload', project: 'p', target: 't', kind: 'k', name: 'n' };
  expect(isSameView({ page: 'workloads', filter: {} }, { page: 'workloads', filter: { text: 'a' } })).toBe(true);
  expect(isSameView(one, { ...one, name: 'm' })).toBe(false);
});
