import fc from 'fast-check';
import { blockAt, isSubnetOf, overlap, parseCidr, type Cidr } from '../../../stacks/plan/network/cidr';
import { maxZones, hostCapacity, workerCapacity, zoneBlocks } from '../../../stacks/plan/network/subnet-layout';

const vpc = fc
  .tuple(fc.integer({ min: 16, max: 21 }), fc.nat(255))
  .map(([prefix, index]) => blockAt(parseCidr('10.0.0.0/8') as Cidr, prefix, index));
const all = (outer: Cidr) =>
  Array.from({ length: maxZones }, (_, zone) => Object.values(zoneBlocks(outer, zone))).flat();

test('subnets of all zones are inside the VPC and disjoint', () => {
  fc.assert(
    fc.property(vpc, (outer) => {
      const blocks = all(outer);
      expect(blocks).toHaveLength(18);
      for (const [index, block] of blocks.entries()) {
        expect(isSubnetOf(block, outer)).toBe(true);
        expect(blocks.slice(index + 1).filter((other) => overlap(block, other))).toEqual([]);
      }
    }),
  );
});

test('each subnet has space for the eight addresses of a load balancer, and for control plane nodes', () => {
  fc.assert(fc.property(vpc, (outer) => all(outer).every((block) => hostCapacity(block) >= 8 + 4)));
});

test('a /16 across three zones fits about 24,000 workers', () => {
  expect(workerCapacity(16, 3)).toBe(3 * 8155);
});
