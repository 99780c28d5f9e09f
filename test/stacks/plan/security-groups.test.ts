import { trafficRules, securityGroupsPlan } from '../../../stacks/plan/network/security-groups';
import { etcdNames } from '../../../stacks/plan';
import { expectGolden } from './expect-golden';
import { makeCluster } from './make-cluster';

const lines = (cluster = makeCluster({ network: { apiClients: ['10.200.0.0/16'] } }), etcds = etcdNames.slice(0, 2)) =>
  trafficRules(cluster, etcds).map(({ from, to, protocol, ports, description }) => {
    const range = ports === undefined ? 'all' : [...new Set(ports)].join('-');
    return `${from} -> ${to}  ${protocol} ${range}  ${description}\n`;
  });

test('traffic rules match the golden file', () => {
  expectGolden('traffic-rules.txt', lines().join(''));
});

test('without internet access, egress is allowed only to endpoints and buckets', () => {
  const toAnywhere = trafficRules(makeCluster({ network: { egress: 'endpoints' } }), ['main']).filter(
    ({ to }) => to === 'anywhere',
  );
  expect(toAnywhere).toEqual([]);
  expectGolden(
    'traffic-rules-endpoints.txt',
    lines(makeCluster({ network: { egress: 'endpoints' } }))
      .filter((line) => /-> (endpoint|buckets)/.test(line))
      .join(''),
  );
});

test('workers cannot reach etcd', () => {
  const ports = trafficRules(makeCluster(), etcdNames)
    .filter(({ from, to }) => from !== 'control-plane' && to === 'control-plane')
    .flatMap((rule) => rule.ports ?? []);
  expect(ports.filter((port) => [2379, 2380, 2479, 2480, 2579, 2580].includes(port))).toEqual([]);
});

test('no ingress is open to all addresses, and no SSH port is open', () => {
  const table = trafficRules(makeCluster({ network: { apiClients: ['10.200.0.0/16'] } }), etcdNames);
  expect(table.filter(({ from }) => from === 'anywhere')).toEqual([]);
  expect(
    table.filter(({ to, ports }) => to !== 'anywhere' && (ports === undefined || (ports[0] <= 22 && 22 <= ports[1]))),
  ).toEqual([]);
});

test('each traffic rule exists in both groups, with names and descriptions that AWS accepts', () => {
  const { groups, rules } = securityGroupsPlan(makeCluster({ network: { apiClients: ['10.200.0.0/16'] } }), etcdNames);
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  for (const { args } of rules) expect(args.description).toMatch(/^[a-zA-Z0-9. _\-:/()#,@[\]+=&;{}!$*]{1,255}$/);
  const described = groups.map(({ group, args }) => [group, args.description]);
  expect(described).toEqual([
    ['control-plane', 'Control plane nodes: API server, controllers, etcd'],
    ['worker', 'Workers'],
    ['load-balancer', 'API load balancer'],
  ]);
  const between = rules.filter(({ group, peer }) => group === 'load-balancer' && peer === 'control-plane');
  expect(between.map(({ direction, args }) => [direction, args.fromPort])).toEqual([
    ['ingress', 6443],
    ['egress', 6443],
  ]);
  const outside = rules.find(({ peer }) => peer === 'api-clients');
  expect(outside?.args).toMatchObject({ cidrIpv4: '10.200.0.0/16', fromPort: 6443 });
});

test('workers reach the metrics of the client monitor only on request, and its events never', () => {
  const toMonitor = (clientMonitor: 'off' | 'machine' | 'workers'): (readonly [string, number])[] =>
    trafficRules(makeCluster({ clientMonitor }), ['main'])
      .filter(({ to }) => to === 'control-plane')
      .flatMap(({ from, ports }) =>
        [9442, 9443]
          .filter((port) => ports && ports[0] <= port && port <= ports[1])
          .map((port) => [from, port] as const),
      )
      .filter(([from]) => from !== 'control-plane');
  expect(toMonitor('off')).toEqual([]);
  expect(toMonitor('machine')).toEqual([]);
  expect(toMonitor('workers')).toEqual([['worker', 9443]]);
});
