import fc from 'fast-check';
import { blockAt, isWithin, overlap, parseCidr, type Cidr } from '../../../stacks/plan/cidr';
import { mostZones, roomIn, workersIn, zoneBlocks } from '../../../stacks/plan/subnet-layout';

const vpc = fc
  .tuple(fc.integer({ min: 16, max: 21 }), fc.nat(255))
  .map(([prefix, index]) => blockAt(parseCidr('10.0.0.0/8') as Cidr, prefix, index));
const all = (outer: Cidr) =>
  Array.from({ length: mostZones }, (_, zone) => Object.values(zoneBlocks(outer, zone))).flat();

test('subnets of all zones lie in the VPC and share no address', () => {
  fc.assert(
    fc.property(vpc, (outer) => {
      const blocks = all(outer);
      expect(blocks).toHaveLength(18);
      for (const [index, block] of blocks.entries()) {
        expect(isWithin(block, outer)).toBe(true);
        expect(blocks.slice(index + 1).filter((other) => overlap(block, other))).toEqual([]);
      }
    }),
  );
});

test('each subnet has room for the eight addresses that a load balancer asks for, and masters beside them', () => {
  fc.assert(fc.property(vpc, (outer) => all(outer).every((block) => roomIn(block) >= 8 + 4)));
});

test('a /16 over three zones holds some twenty-four thousand workers', () => {
  expect(workersIn(16, 3)).toBe(3 * 8155);
});
