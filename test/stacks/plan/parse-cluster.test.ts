import { formatPath, type Problem } from '@pinion-platform/pinion/api';
import { safeParseCluster, loadOf } from '../../../stacks/plan';
import { makeCluster, plainCluster } from './make-cluster';

const messages = (problems: readonly Problem[]): string[] =>
  problems.map(({ path, reason, remedy }) => `${formatPath(path)}: ${reason}; ${remedy}`);
const wrong = (own: object): string[] => messages(safeParseCluster({ ...plainCluster, ...own }).problems);

test('a plain configuration is valid and gets defaults', () => {
  const { config, problems } = safeParseCluster(plainCluster);
  expect(problems).toEqual([]);
  expect(config?.network).toMatchObject({ vpc: '10.0.0.0/16', egress: 'nat-in-each-zone', peers: [] });
});

test.each<[string, object, string]>([
  [
    'two zones',
    { zones: ['us-east-1a', 'us-east-1b'] },
    'zones: has fewer than 3 zones, one per control plane node; etcd would lose its quorum with a zone; add "us-east-1c"',
  ],
  [
    'page cache reclaim that would never stop',
    { pageCacheReclaim: { mode: 'act', high: 0.7 } },
    'pageCacheReclaim.low: must be less than high, 0.7; keep at least 0.05 between them',
  ],
  ['a misspelled region', { region: 'us-esat-1' }, 'region: is not a known region; did you mean "us-east-1"?'],
  [
    'a zone of another region',
    { zones: ['us-east-1a', 'us-east-2b', 'us-east-1c'] },
    'zones[1]: is not in us-east-1; use "us-east-1b", or region "us-east-2"',
  ],
  [
    'a zone that does not exist',
    { region: 'eu-west-1', zones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1f'] },
    'zones[2]: is not a zone of eu-west-1; use eu-west-1a, eu-west-1b, eu-west-1c',
  ],
  [
    'a duplicate zone',
    { zones: ['us-east-1a', 'us-east-1b', 'us-east-1b'] },
    'zones[2]: is listed twice; use "us-east-1c"',
  ],
  [
    'a region with two zones',
    { region: 'us-west-1', zones: ['us-west-1a', 'us-west-1b', 'us-west-1c'] },
    'region: has only two zones per account; control plane nodes need 3; use us-east-1 or us-east-2 or us-gov-east-1 or us-gov-west-1 or us-west-2',
  ],
  [
    'services within the VPC',
    { network: { services: '10.0.16.0/20' } },
    'network.services: overlaps 10.0.0.0/16 of the VPC; use "10.1.0.0/20"',
  ],
  [
    'a connected network within the pod network',
    { network: { peers: ['100.70.0.0/16'] } },
    'network.pods: overlaps 100.70.0.0/16 of a connected network; use "10.64.0.0/10"',
  ],
  [
    'a VPC that is connected to a network with the same addresses',
    { network: { peers: ['10.0.0.0/12'] } },
    'network.vpc: overlaps 10.0.0.0/12 of a connected network; use "10.16.0.0/16"',
  ],
  [
    'an address that is not the first of its block',
    { network: { vpc: '10.0.7.1/16' } },
    'network.vpc: is not the first address of its block; use "10.0.0.0/16"',
  ],
  [
    'a VPC that AWS does not support',
    { network: { vpc: '10.0.0.0/8' } },
    'network.vpc: has prefix /8; the block of the VPC must be /16 to /21; use "10.0.0.0/16"',
  ],
  [
    'public addresses',
    { network: { services: '8.8.0.0/16' } },
    'network.services: is not a private range; use "10.1.0.0/16"',
  ],
  [
    'API clients from anywhere',
    { network: { apiClients: ['0.0.0.0/0'] } },
    'network.apiClients[0]: has prefix /0, which is too broad; list the networks of clients, each with a prefix of /8 or longer',
  ],
  [
    'a name that is too long',
    { name: 'shopping-of-the-whole-company' },
    'name: makes the load balancer name "shopping-of-the-whole-company-api" 33 characters long; AWS allows 32; use at most 28 characters',
  ],
  [
    'a load in another region',
    { load: { region: 'eu-west-1' } },
    'load.region: is set by the cluster configuration; remove it; set region of the cluster',
  ],
  [
    'two taints with the same key',
    {
      pools: {
        general: {
          taints: [
            { key: 'a', effect: 'NoSchedule' },
            { key: 'a', effect: 'NoExecute' },
          ],
        },
      },
    },
    'pools.general.taints[1].key: is the key of two taints; the autoscaler supports one per key; use a unique key per taint',
  ],
  [
    'a verification store that publishers can write',
    { artifacts: { store: 's3://shop-artifacts/store', verificationStore: 's3://shop-artifacts/store/witness' } },
    'artifacts.verificationStore: is inside the artifact store, which publishers can write to; use a separate bucket',
  ],
  [
    'an issuer that could impersonate system users',
    { oidc: { issuer: 'https://login.example.com', clientId: 'k', prefix: '' } },
    'oidc.prefix: would let the issuer grant system users and groups such as "system:masters"; use "oidc:"',
  ],
  ['a reserved tag', { tags: { Name: 'x' } }, 'tags.Name: is set by pinion; use another key or value'],
  [
    'two buckets with the same name',
    { buckets: { logs: 'company', snapshots: 'company' } },
    'buckets.logs: is used for two buckets; use a unique name, or remove it',
  ],
  ['a field that does not exist', { zoness: [] }, 'zoness: does not exist; did you mean "zones"?'],
])('reports %s with a suggestion', (_, own, expected) => {
  expect(wrong(own)).toContain(expected);
});

test('reports all problems at once', () => {
  expect(
    wrong({
      region: 'us-east-9',
      zones: ['us-east-1a'],
      network: { services: '10.0.0.0/16' },
      tags: { 'aws:x': '' },
    }).map((line) => line.split(':')[0]),
  ).toEqual(['region', 'zones[0]', 'zones', 'network.services', 'tags["aws']);
});

test('the load includes the region and zones of the cluster', () => {
  expect(loadOf(makeCluster())).toEqual({
    cluster: 'shop',
    region: 'us-east-1',
    zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
    kubernetes: '1.36',
    nodes: 300,
    pods: 6000,
  });
});

test.each([undefined, null, 7, 'shop', [], { name: {} }])('%j has problems and does not throw', (input) => {
  expect(safeParseCluster(input).problems.length).toBeGreaterThan(0);
});
