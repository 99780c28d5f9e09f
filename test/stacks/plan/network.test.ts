import { type ClusterInput } from '../../../stacks/plan';
import { networkPlan } from '../../../stacks/plan/network/network';
import { expectGolden } from './expect-golden';
import { makeCluster } from './make-cluster';

const planned = (own: Partial<ClusterInput> = {}, controlPlaneNodes = 3) =>
  networkPlan(makeCluster(own), controlPlaneNodes);
const network = (own: ClusterInput['network']): Partial<ClusterInput> => ({ network: own });

test('subnets, routes and the load balancer of a small cluster match the golden file', () => {
  const { subnets, routeTables, natGateways, endpoints, api } = planned();
  expectGolden('network.yaml', {
    subnets: subnets.map(
      ({ name, args, routeTable }) => `${name} ${args.cidrBlock} ${args.availabilityZone} ${routeTable}`,
    ),
    routeTables: routeTables.map(({ name, defaultRoute }) => ({ [name]: defaultRoute ?? 'none' })),
    natGateways: natGateways.map(({ name, subnet }) => `${name} in ${subnet}`),
    endpoints: endpoints.map(({ args }) => args.serviceName),
    api,
  });
});

test('without internet access there is no public subnet, no gateway, and an endpoint for each service', () => {
  const plan = planned(network({ egress: 'endpoints' }));
  expect(plan.internetGateway).toBeUndefined();
  expect(plan.natGateways).toEqual([]);
  expect(plan.subnets.filter(({ role }) => role === 'public')).toEqual([]);
  expect(plan.routeTables.filter(({ defaultRoute }) => defaultRoute)).toEqual([]);
  expect(plan.endpoints.map(({ name }) => name)).toEqual(expect.arrayContaining(['endpoint-s3', 'endpoint-sts']));
  expect(
    plan.endpoints
      .filter(({ args }) => args.vpcEndpointType === 'Interface')
      .every(({ subnets }) => subnets?.length === 3),
  ).toBe(true);
});

test('with one-nat egress, one NAT gateway serves all zones', () => {
  const plan = planned(network({ egress: 'one-nat' }));
  expect(plan.natGateways).toHaveLength(1);
  expect(plan.routeTables.filter(({ defaultRoute }) => defaultRoute && 'natGateway' in defaultRoute)).toHaveLength(3);
});

test('a new zone leaves existing subnets unchanged', () => {
  const before = planned();
  const after = planned({ zones: ['us-east-1a', 'us-east-1b', 'us-east-1c', 'us-east-1d'] });
  for (const list of ['subnets', 'routeTables', 'natGateways'] as const)
    expect(after[list]).toEqual(expect.arrayContaining([...before[list]]));
  expect(after.api).toEqual(before.api);
});

test('load balancers of Services do not use the subnets of control plane nodes', () => {
  const tags = planned()
    .subnets.filter(({ role }) => role === 'control-plane')
    .map(({ args }) => Object.keys(args.tags));
  expect(tags.flat().filter((key) => key.startsWith('kubernetes.io/'))).toEqual([]);
});
