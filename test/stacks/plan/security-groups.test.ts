import { passages, securityGroupsPlan } from '../../../stacks/plan/security-groups';
import { etcdNames } from '../../../stacks/plan';
import { expectGolden } from './expect-golden';
import { makeCluster } from './make-cluster';

const lines = (cluster = makeCluster({ network: { apiClients: ['10.200.0.0/16'] } }), etcds = etcdNames.slice(0, 2)) =>
  passages(cluster, etcds).map(({ from, to, protocol, ports, why }) => {
    const range = ports === undefined ? 'all' : [...new Set(ports)].join('-');
    return `${from} -> ${to}  ${protocol} ${range}  ${why}\n`;
  });

test('who may reach whom', () => {
  expectGolden('passages.txt', lines().join(''));
});

test('without a way to the internet nothing reaches what is outside but endpoints and buckets', () => {
  const outward = passages(makeCluster({ network: { egress: 'endpoints' } }), ['main']).filter(
    ({ to }) => to === 'anywhere',
  );
  expect(outward).toEqual([]);
  expectGolden(
    'passages-endpoints.txt',
    lines(makeCluster({ network: { egress: 'endpoints' } }))
      .filter((line) => /-> (endpoint|buckets)/.test(line))
      .join(''),
  );
});

test('workers do not reach the databases', () => {
  const ports = passages(makeCluster(), etcdNames)
    .filter(({ from, to }) => from !== 'master' && to === 'master')
    .flatMap((passage) => passage.ports ?? []);
  expect(ports.filter((port) => [2379, 2380, 2479, 2480, 2579, 2580].includes(port))).toEqual([]);
});

test('nothing comes in from anywhere, and no port of a shell is open', () => {
  const table = passages(makeCluster({ network: { apiClients: ['10.200.0.0/16'] } }), etcdNames);
  expect(table.filter(({ from }) => from === 'anywhere')).toEqual([]);
  expect(
    table.filter(({ to, ports }) => to !== 'anywhere' && (ports === undefined || (ports[0] <= 22 && 22 <= ports[1]))),
  ).toEqual([]);
});

test('each passage is a rule at both of its ends that are groups, under names and texts that AWS takes', () => {
  const { groups, rules } = securityGroupsPlan(makeCluster({ network: { apiClients: ['10.200.0.0/16'] } }), etcdNames);
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  for (const { args } of rules) expect(args.description).toMatch(/^[a-zA-Z0-9. _\-:/()#,@[\]+=&;{}!$*]{1,255}$/);
  const described = groups.map(({ group, args }) => [group, args.description]);
  expect(described).toEqual([
    ['master', 'Masters: API server, controllers, etcd'],
    ['worker', 'Nodes that run workloads'],
    ['load-balancer', 'Load balancer of the API'],
  ]);
  const between = rules.filter(({ group, peer }) => group === 'load-balancer' && peer === 'master');
  expect(between.map(({ direction, args }) => [direction, args.fromPort])).toEqual([
    ['ingress', 6443],
    ['egress', 6443],
  ]);
  const outside = rules.find(({ peer }) => peer === 'api-clients');
  expect(outside?.args).toMatchObject({ cidrIpv4: '10.200.0.0/16', fromPort: 6443 });
});
