import fc from 'fast-check';
import { boundedName } from '../../lib/kube';

test('a name within the bound stays as it is', () => {
  expect(boundedName('x'.repeat(100), 100)).toBe('x'.repeat(100));
  expect(boundedName('é'.repeat(50), 100)).toBe('é'.repeat(50));
});

test('a longer one ends with a hash that keeps it apart', () => {
  const [one, two] = ['1', '2'].map((end) => boundedName(`${'x'.repeat(100)}${end}`, 100));
  expect(one).toMatch(/^x{89}-[g-v]{10}$/);
  expect(one).not.toBe(two);
});

test('no name has more bytes in JSON than the bound', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 12, max: 300 }), (text, max) => {
      const name = boundedName(text, max);
      expect(Buffer.byteLength(JSON.stringify(name)) - 2).toBeLessThanOrEqual(max);
      expect(boundedName(name, max)).toBe(name);
    }),
  );
});
