import fc from 'fast-check';
import {
  addressesIn,
  blockAt,
  enclosing,
  formatCidr,
  freeBlock,
  isSubnetOf,
  overlap,
  parseCidr,
  privateBlocks,
  type Cidr,
} from '../../../stacks/plan/network/cidr';

const block = (minPrefix = 0, maxPrefix = 32): fc.Arbitrary<Cidr> =>
  fc
    .tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: minPrefix, max: maxPrefix }))
    .map(([address, prefix]) => ({ first: address - (address % addressesIn({ prefix })), prefix }));
const cidr = (text: string): Cidr => parseCidr(text) as Cidr;

test('a formatted block parses to itself', () => {
  fc.assert(fc.property(block(), (one) => expect(parseCidr(formatCidr(one))).toEqual(one)));
});

test.each(['10.0.0.0', '10.0.0.0/33', '256.0.0.0/8', '10.0.0/16', '', '10.0.0.0/16 ', '::/0', '10.0.1.0/16'])(
  '%j is not a block',
  (text) => expect(parseCidr(text)).toBeUndefined(),
);

test('an address inside a block maps to that block', () => {
  expect(enclosing('10.0.1.5/16')).toEqual(cidr('10.0.0.0/16'));
  expect(enclosing('255.255.255.255/1')).toEqual(cidr('128.0.0.0/1'));
  expect(enclosing('nonsense')).toBeUndefined();
});

test('two blocks overlap if and only if one contains the other', () => {
  fc.assert(fc.property(block(), block(), (a, b) => expect(overlap(a, b)).toBe(isSubnetOf(a, b) || isSubnetOf(b, a))));
});

test('subnets of one prefix at different indexes are inside the block and disjoint', () => {
  const cases = block(0, 24).chain((outer) =>
    fc.record({
      outer: fc.constant(outer),
      bits: fc.integer({ min: 1, max: 8 }),
      one: fc.nat(255),
      other: fc.nat(255),
    }),
  );
  fc.assert(
    fc.property(cases, ({ outer, bits, one, other }) => {
      const [a, b] = [one, other].map((index) => blockAt(outer, outer.prefix + bits, index % 2 ** bits)) as [
        Cidr,
        Cidr,
      ];
      expect(isSubnetOf(a, outer)).toBe(true);
      expect(overlap(a, b)).toBe(one % 2 ** bits === other % 2 ** bits);
    }),
  );
});

test('an index outside a block is rejected', () => {
  expect(() => blockAt(cidr('10.0.0.0/16'), 19, 8)).toThrow('10.0.0.0/16 has no /19 number 8');
  expect(() => blockAt(cidr('10.0.0.0/16'), 15, 0)).toThrow(RangeError);
});

test('a free block is private and overlaps no block in use', () => {
  fc.assert(
    fc.property(fc.integer({ min: 9, max: 24 }), fc.array(block(4, 24), { maxLength: 12 }), (prefix, usedBlocks) => {
      const free = freeBlock(prefix, usedBlocks);
      if (!free) return;
      expect(usedBlocks.some((other) => overlap(other, free))).toBe(false);
      expect(privateBlocks.some((outer) => isSubnetOf(free, outer))).toBe(true);
    }),
  );
});

test('there is no free block only if every private block of that size is in use', () => {
  expect(freeBlock(16, [cidr('10.0.0.0/8')])).toEqual(cidr('172.16.0.0/16'));
  expect(freeBlock(10, [cidr('10.0.0.0/8')])).toEqual(cidr('100.64.0.0/10'));
  expect(freeBlock(16, privateBlocks)).toBeUndefined();
});
