import { estimateSeats, readApiRequest, readServerFigures } from '../../../lib/operations';
import { auditEvent, type TestRequest } from './audit-events';

const figures = readServerFigures(`
# HELP apiserver_resource_objects Number of stored objects.
apiserver_resource_objects{group="",resource="pods"} 5000
apiserver_resource_size_estimate_bytes{group="",resource="pods"} 2.3e+07
apiserver_resource_objects{group="apps",resource="deployments"} 10
apiserver_resource_size_estimate_bytes{group="apps",resource="deployments"} 30000
apiserver_resource_objects{group="",resource="secrets"} -1
apiserver_resource_objects{group="",resource="events"} 0
apiserver_flowcontrol_nominal_limit_seats{priority_level="exempt"} 0
apiserver_flowcontrol_nominal_limit_seats{priority_level="workload-low"} 245
apiserver_flowcontrol_nominal_limit_seats{priority_level="global-default"} 49
`);
const seats = (request: TestRequest): number => {
  const read = readApiRequest(auditEvent(request), 0);
  return read ? estimateSeats(read, figures.stats) : 0;
};

test('reads sizes of resources and the seats of the API server', () => {
  expect(figures.seats).toBe(294);
  expect([...figures.stats]).toEqual([
    ['pods', { objects: 5000, averageBytes: 4600 }],
    ['deployments.apps', { objects: 10, averageBytes: 3000 }],
    ['events', { objects: 0, averageBytes: 0 }],
  ]);
});

// As TestWorkEstimator of k8s.io/apiserver computes them with SizeBasedListCostEstimate.
test.each([
  ['a list from the cache', '/api/v1/pods?resourceVersion=0', 10],
  ['a consistent list', '/api/v1/pods', 10],
  ['a page from the cache', '/api/v1/pods?limit=20', 1],
  ['an exact list', '/api/v1/pods?resourceVersion=7&resourceVersionMatch=Exact', 100],
  ['a continued page', '/api/v1/pods?limit=500&continue=abc', 23],
  ['a selection from etcd', '/api/v1/pods?limit=500&resourceVersion=7&labelSelector=a%3Db', 100],
  ['a selection from the cache', '/api/v1/pods?labelSelector=a%3Db&resourceVersion=0', 10],
])('%s', (_, uri, expected) => expect(seats({ uri })).toBe(expected));

test('half of an odd number of objects is rounded down, as the API server divides integers', () => {
  const uri = '/api/v1/configmaps?limit=2&resourceVersion=7&resourceVersionMatch=Exact&labelSelector=a%3Db';
  const read = readApiRequest(auditEvent({ uri, resource: 'configmaps' }), 0);
  expect(read && estimateSeats(read, new Map([['configmaps', { objects: 61, averageBytes: 19_900 }]]))).toBe(6);
});

test('a get, a watch without initial events, one object, an unknown resource and a write take one seat', () => {
  expect(seats({ verb: 'get', name: 'one' })).toBe(1);
  expect(seats({ verb: 'watch', stage: 'ResponseStarted', uri: '/api/v1/pods?watch=1&resourceVersion=7' })).toBe(1);
  expect(seats({ name: 'one', uri: '/api/v1/pods?fieldSelector=metadata.name%3Done' })).toBe(1);
  expect(seats({ resource: 'unknown' })).toBe(1);
  expect(seats({ verb: 'create' })).toBe(1);
});

test('a watch with initial events takes the seats of a list', () => {
  const watch = { verb: 'watch', stage: 'ResponseStarted' };
  expect(seats({ ...watch, uri: '/api/v1/pods?watch=true&sendInitialEvents=true&resourceVersion=7' })).toBe(10);
  expect(seats({ ...watch, uri: '/api/v1/pods?watch=true' })).toBe(10);
});
