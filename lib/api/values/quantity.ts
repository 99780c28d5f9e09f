/** Notation of a quantity: `1Mi`, `1M` or `1e6`. It is preserved from parsing to formatting. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

/** Exact amount of a resource, with the semantics of the API server. */
export interface Quantity {
  /** Value in units of 1e-9, rounded away from zero. */
  readonly nanos: bigint;
  /** Family of suffixes of the canonical form. */
  readonly format: QuantityFormat;
}

const nanosPerOne = 1_000_000_000n;

/** Maximum amount with a binary suffix: 2^63-1, the cap of `resource.ParseQuantity`. */
const binaryCap = (2n ** 63n - 1n) * nanosPerOne;

/** Maximum length of a string; longer ones, like larger exponents, describe no resource and would only use memory. */
export const longestQuantityText = 256;
const largestExponent = 1000;

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/**
 * Pattern of quantities in CRD schemas; `parseQuantity` accepts every match.
 *
 * Apimachinery's own expression without fractions in the exponent, on which its parser fails.
 */
export const quantityPattern = '^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(([KMGTPE]i)|[numkMGTPE]|([eE][+-]?[0-9]{1,3}))?$';

const grammar = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?[0-9]+))?$/;

const remembered = new Map<string, Quantity | undefined>();
const maxRemembered = 4096;
const longestRemembered = 32;

/**
 * Parses a quantity exactly like `resource.ParseQuantity` of Kubernetes; undefined if invalid.
 *
 * Like Kubernetes, it parses a missing number as 0 (`.`, `k`; but not `Pi`, `Ei` or an exponent below -9), and caps
 * binary suffixes at ±(2^63-1). Two limits are its own: it rejects strings of more than 256 characters and exponents
 * beyond ±1000. A number is parsed as its JSON text.
 */
export function parseQuantity(text: string | number): Quantity | undefined {
  const key = String(text);
  const known = remembered.get(key);
  if (known !== undefined || remembered.has(key)) return known;
  const quantity = readQuantity(key);
  if (key.length <= longestRemembered) {
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(key, quantity);
  }
  return quantity;
}

function readQuantity(text: string): Quantity | undefined {
  const match = text === '' || text.length > longestQuantityText ? null : grammar.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', suffix = '', exponent] = match;
  const missing = whole + fraction === '';
  const digits = BigInt(whole + fraction);
  let nanos: bigint;
  let format: QuantityFormat = exponent === undefined ? 'DecimalSI' : 'DecimalExponent';
  if (suffix.endsWith('i')) {
    const power = binarySuffixes.indexOf(suffix);
    if (missing && power > 4) return undefined;
    nanos = timesPowerOfTen(digits << BigInt(10 * power), 9 - fraction.length);
    if (nanos > binaryCap) nanos = binaryCap;
    // Below one, Kubernetes itself changes the format, so that sums keep the fraction.
    format = nanos > 0n && nanos < nanosPerOne ? 'DecimalSI' : 'BinarySI';
  } else {
    const scale = exponent === undefined ? 3 * (decimalSuffixes.indexOf(suffix) - 3) : Number(exponent);
    if (Math.abs(scale) > largestExponent || (missing && scale < -9)) return undefined;
    nanos = timesPowerOfTen(digits, 9 + scale - fraction.length);
  }
  return Object.freeze({ nanos: sign === '-' ? -nanos : nanos, format });
}

/** Returns a non-negative number times 10^power, rounded up. */
function timesPowerOfTen(value: bigint, power: number): bigint {
  if (power >= 0) return value * 10n ** BigInt(power);
  return divideAwayFromZero(value, 10n ** BigInt(-power));
}

function divideAwayFromZero(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  if (quotient * denominator === numerator) return quotient;
  return numerator < 0n === denominator < 0n ? quotient + 1n : quotient - 1n;
}

/**
 * Formats a quantity in the canonical form of `Quantity.CanonicalizeBytes`: no fraction, the largest fitting suffix.
 *
 * If Kubernetes has no suffix and would print another number (`1000E` as `1`, or a sum of binary quantities above
 * 2^63-1), the amount is written as a plain number or with a decimal exponent, so that it is always correct.
 */
export function formatQuantity(quantity: Quantity): string {
  const { nanos, format } = quantity;
  if (nanos === 0n) return '0';
  const size = nanos < 0n ? -nanos : nanos;
  if (format === 'BinarySI' && size >= 1024n * nanosPerOne && size <= binaryCap && nanos % nanosPerOne === 0n) {
    const [mantissa, power] = withoutFactor(nanos / nanosPerOne, 1024n);
    return `${mantissa}${binarySuffixes[power]}`;
  }
  const [mantissa, power] = withoutFactor(nanos, 1000n);
  const suffix = format === 'DecimalExponent' ? undefined : decimalSuffixes[power];
  if (suffix !== undefined) return `${mantissa}${suffix}`;
  return power === 3 ? `${mantissa}` : `${mantissa}e${3 * (power - 3)}`;
}

/** Returns how often a factor divides a nonzero number, and the rest. */
function withoutFactor(value: bigint, factor: bigint): [rest: bigint, times: number] {
  let rest = value;
  let times = 0;
  while (rest % factor === 0n) {
    rest /= factor;
    times++;
  }
  return [rest, times];
}

/** Compares two quantities by value; the format does not matter. */
export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  if (a.nanos === b.nanos) return 0;
  return a.nanos < b.nanos ? -1 : 1;
}

/** Adds two quantities; like Kubernetes, keeps the format of the first, or of the second if the first is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos + b.nanos, format: a.nanos === 0n ? b.format : a.format };
}

/** Multiplies a quantity by an integer; the format is kept and nothing is capped. */
export function multiplyQuantity(quantity: Quantity, factor: bigint): Quantity {
  return { nanos: quantity.nanos * factor, format: quantity.format };
}

/**
 * Multiplies a quantity by numerator / denominator, rounding away from zero at 1e-9.
 *
 * Throws a RangeError if the denominator is zero.
 */
export function scaleQuantity(quantity: Quantity, numerator: bigint, denominator: bigint): Quantity {
  return { nanos: divideAwayFromZero(quantity.nanos * numerator, denominator), format: quantity.format };
}

/**
 * Rounds a quantity away from zero to a multiple of a step in units of 1e-9.
 *
 * A step of 1_000_000_000n rounds to whole bytes, 1_000_000n to whole thousandths of a CPU.
 */
export function roundUpQuantity(quantity: Quantity, step: bigint): Quantity {
  return { nanos: divideAwayFromZero(quantity.nanos, step) * step, format: quantity.format };
}
