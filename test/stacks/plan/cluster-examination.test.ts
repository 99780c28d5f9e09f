import { formatPath, type Problem } from 'pinion/api';
import { examineCluster, loadOf } from '../../../stacks/plan';
import { makeCluster, plainCluster } from './make-cluster';

const said = (problems: readonly Problem[]): string[] =>
  problems.map(({ path, reason, remedy }) => `${formatPath(path)}: ${reason}; ${remedy}`);
const wrong = (own: object): string[] => said(examineCluster({ ...plainCluster, ...own }).problems);

test('a plain description is whole, and what was left out is there', () => {
  const { config, problems } = examineCluster(plainCluster);
  expect(problems).toEqual([]);
  expect(config?.network).toMatchObject({ vpc: '10.0.0.0/16', egress: 'nat-in-each-zone', peers: [] });
});

test.each<[string, object, string]>([
  [
    'two zones',
    { zones: ['us-east-1a', 'us-east-1b'] },
    'zones: a master is in each of 3 zones, so that etcd keeps its quorum when one is lost; add "us-east-1c"',
  ],
  [
    'a memory agent that would never be content',
    { masterMemory: { mode: 'act', high: 0.7 } },
    'masterMemory.low: is not below high, 0.7; leave a twentieth of the limit between them',
  ],
  ['a misspelt region', { region: 'us-esat-1' }, 'region: is no region that is known; did you mean "us-east-1"?'],
  [
    'a zone of another region',
    { zones: ['us-east-1a', 'us-east-2b', 'us-east-1c'] },
    'zones[1]: is not in us-east-1; use "us-east-1b", or region "us-east-2"',
  ],
  [
    'a zone that a region lacks',
    { region: 'eu-west-1', zones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1f'] },
    'zones[2]: is no zone of eu-west-1; use eu-west-1a, eu-west-1b, eu-west-1c',
  ],
  ['a zone twice', { zones: ['us-east-1a', 'us-east-1b', 'us-east-1b'] }, 'zones[2]: is given twice; use "us-east-1c"'],
  [
    'a region with two zones',
    { region: 'us-west-1', zones: ['us-west-1a', 'us-west-1b', 'us-west-1c'] },
    'region: shows two zones to an account, and a master is in each of 3; use us-east-1 or us-east-2 or us-gov-east-1 or us-gov-west-1 or us-west-2',
  ],
  [
    'services within the VPC',
    { network: { services: '10.0.16.0/20' } },
    'network.services: overlaps 10.0.0.0/16 of the VPC; use "10.1.0.0/20"',
  ],
  [
    'a connected network within that of pods',
    { network: { peers: ['100.70.0.0/16'] } },
    'network.pods: overlaps 100.70.0.0/16 of a connected network; use "10.64.0.0/10"',
  ],
  [
    'a VPC that is connected with one of the same addresses',
    { network: { peers: ['10.0.0.0/12'] } },
    'network.vpc: overlaps 10.0.0.0/12 of a connected network; use "10.16.0.0/16"',
  ],
  [
    'an address in the middle of a block',
    { network: { vpc: '10.0.7.1/16' } },
    'network.vpc: does not begin at the first address of a block; use "10.0.0.0/16"',
  ],
  [
    'a VPC that AWS does not make',
    { network: { vpc: '10.0.0.0/8' } },
    'network.vpc: has the prefix /8, and a block of the VPC has /16 to /21; use "10.0.0.0/16"',
  ],
  [
    "somebody else's addresses",
    { network: { services: '8.8.0.0/16' } },
    'network.services: is not private: somebody on the internet may have these addresses; use "10.1.0.0/16"',
  ],
  [
    'an API that half the world reaches',
    { network: { apiClients: ['0.0.0.0/0'] } },
    'network.apiClients[0]: has the prefix /0, which is no network of somebody; name the networks that reach the API, each with /8 or longer',
  ],
  [
    'a name that is too long',
    { name: 'shopping-of-the-whole-company' },
    'name: makes the load balancer "shopping-of-the-whole-company-api" of 33 characters, and AWS takes 32; use at most 28 characters',
  ],
  [
    'a load in another region',
    { load: { region: 'eu-west-1' } },
    'load.region: is what the description of the cluster says itself; leave it out; it is region above',
  ],
  [
    'two taints of a key',
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
    'pools.general.taints[1].key: is the key of two taints, and the autoscaler can be told of one; give each taint a key of its own',
  ],
  [
    'a witness that publishers can write',
    { artifacts: { store: 's3://shop-artifacts/store', witness: 's3://shop-artifacts/store/witness' } },
    'artifacts.witness: lies in the artifact store, where publishers write; name a bucket of its own',
  ],
  [
    'an issuer that can name system accounts',
    { people: { issuer: 'https://login.example.com', clientId: 'k', prefix: '' } },
    'people.prefix: lets the issuer name somebody "system:masters" or a system account; use "oidc:"',
  ],
  ['a tag that is ours', { tags: { Name: 'x' } }, 'tags.Name: is set for each resource; use another key or value'],
  [
    'two buckets of a name',
    { buckets: { logs: 'company', snapshots: 'company' } },
    'buckets.logs: is the name of two buckets; give each a name of its own, or leave it out',
  ],
  ['a field that does not exist', { zoness: [] }, 'zoness: does not exist; did you mean "zones"?'],
])('%s: a problem with the nearest that would work', (_, own, expected) => {
  expect(wrong(own)).toContain(expected);
});

test('everything that is wrong is said at once', () => {
  expect(
    wrong({
      region: 'us-east-9',
      zones: ['us-east-1a'],
      network: { services: '10.0.0.0/16' },
      tags: { 'aws:x': '' },
    }).map((line) => line.split(':')[0]),
  ).toEqual(['region', 'zones[0]', 'zones', 'network.services', 'tags["aws']);
});

test('the load carries what the cluster is', () => {
  expect(loadOf(makeCluster())).toEqual({
    cluster: 'shop',
    region: 'us-east-1',
    zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
    kubernetes: '1.36',
    nodes: 300,
    pods: 6000,
  });
});

test.each([undefined, null, 7, 'shop', [], { name: {} }])('%j has problems and throws nothing', (input) => {
  expect(examineCluster(input).problems.length).toBeGreaterThan(0);
});
