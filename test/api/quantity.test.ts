import fc from 'fast-check';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  multiplyQuantity,
  parseQuantity,
  roundUpQuantity,
  scaleQuantity,
  type Quantity,
} from '../../lib/api/values/quantity';
import table from './quantity.cases.json';

function quantity(text: string): Quantity {
  const found = parseQuantity(text);
  if (!found) throw new Error(`${text} is not a quantity`);
  return found;
}

const suffix = fc.constantFrom(...',n,u,m,k,M,G,T,P,E,Ki,Mi,Gi,Ti,Pi,Ei,e3,E-6,e20'.split(','));
const anyQuantity = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.option(fc.nat(999_999_999)), suffix)
  .map(([whole, fraction, unit]) => quantity(`${whole}${fraction === null ? '' : `.${fraction}`}${unit}`));

describe('parsing and formatting quantities', () => {
  test('accepts, rejects and formats every string in the table as Kubernetes does', () => {
    const differing = (table.cases as [string, string | null][]).filter(([text, canonical]) => {
      const found = parseQuantity(text);
      return (found ? formatQuantity(found) : null) !== canonical;
    });
    // Kubernetes has no decimal suffix above E and formats these as different, much smaller numbers.
    expect(differing.map(([text]) => text)).toEqual([
      '1000E',
      '1000000P',
      '1000000E',
      '2023000101422000E',
      '05600173000E',
    ]);
    for (const [text] of differing)
      expect(parseQuantity(formatQuantity(quantity(text)))?.nanos).toBe(quantity(text).nanos);
  });

  test('the canonical form parses to the same quantity and is stable', () => {
    fc.assert(
      fc.property(anyQuantity, (q) => {
        const text = formatQuantity(q);
        expect(quantity(text).nanos).toBe(q.nanos);
        expect(formatQuantity(quantity(text))).toBe(text);
      }),
    );
  });

  test.each([
    [0.5, '500m'],
    [1e21, '1e21'],
    [-0, '0'],
    [3, '3'],
  ])('reads the number %p as its JSON text', (number, canonical) => {
    expect(formatQuantity(quantity(String(number)))).toBe(canonical);
    expect(parseQuantity(number)).toEqual(parseQuantity(String(number)));
  });

  test('rejects input that would exhaust the parser', () => {
    expect(parseQuantity('1e1001')).toBeUndefined();
    expect(parseQuantity('1e-2147483648')).toBeUndefined();
    expect(parseQuantity('1'.repeat(257))).toBeUndefined();
    expect(parseQuantity(Number.NaN)).toBeUndefined();
    expect(parseQuantity('1e1000')).toBeDefined();
  });

  test('parsing a string again gives the same result, valid or not, even after many others', () => {
    for (let n = 0; n < 5000; n++) parseQuantity(`${n}Mi`);
    expect(formatQuantity(quantity('1024Mi'))).toBe('1Gi');
    expect(parseQuantity('1 Gi')).toBeUndefined();
    expect(parseQuantity('1 Gi')).toBeUndefined();
  });
});

describe('arithmetic with quantities', () => {
  test('quantities are ordered by value', () => {
    expect(compareQuantities(quantity('1Gi'), quantity('1G'))).toBe(1);
    expect(compareQuantities(quantity('1000m'), quantity('1'))).toBe(0);
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
        expect(compareQuantities(quantity(`${a}m`), quantity(`${b}m`))).toBe(Math.sign(a - b));
      }),
    );
  });

  test('a sum keeps the format of its first operand, or of the second if the first is zero', () => {
    expect(formatQuantity(addQuantities(quantity('1Gi'), quantity('1073741824')))).toBe('2Gi');
    expect(formatQuantity(addQuantities(quantity('0'), quantity('1536Mi')))).toBe('1536Mi');
    fc.assert(
      fc.property(anyQuantity, anyQuantity, (a, b) => {
        expect(addQuantities(a, b).nanos).toBe(addQuantities(b, a).nanos);
      }),
    );
  });

  test('a sum above the binary maximum is formatted with its exact value', () => {
    const sum = multiplyQuantity(quantity('4Ei'), 256n);
    expect(formatQuantity(sum)).toBe('1180591620717411303424');
    expect(quantity(formatQuantity(sum)).nanos).toBe(sum.nanos);
  });

  test('scaling rounds away from zero and never returns less than requested', () => {
    expect(formatQuantity(scaleQuantity(quantity('100m'), 3n, 2n))).toBe('150m');
    expect(formatQuantity(scaleQuantity(quantity('-1'), 1n, 3n))).toBe('-333333334n');
    fc.assert(
      fc.property(anyQuantity, fc.bigInt({ min: 1n, max: 1000n }), fc.bigInt({ min: 1n, max: 1000n }), (q, n, d) => {
        const excess = scaleQuantity(q, n, d).nanos * d - q.nanos * n;
        const away = q.nanos < 0n ? -excess : excess;
        expect(away >= 0n && away < d).toBe(true);
      }),
    );
    expect(() => scaleQuantity(quantity('1'), 1n, 0n)).toThrow(RangeError);
  });

  test('rounding up to whole bytes or thousandths keeps the format', () => {
    expect(formatQuantity(roundUpQuantity(scaleQuantity(quantity('4Ki'), 1n, 3n), 1_000_000_000n))).toBe('1366');
    expect(formatQuantity(roundUpQuantity(quantity('100u'), 1_000_000n))).toBe('1m');
  });
});
