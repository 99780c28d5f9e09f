const nanosPerUnit: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  '\u00b5s': 1e3,
  '\u03bcs': 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

const grammar = /^(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+$/;

/** Parses a duration like Go's `time.ParseDuration`, in nanoseconds; undefined if invalid. */
export function parseGoDuration(text: string): bigint | undefined {
  const negative = text.startsWith('-');
  const amount = negative || text.startsWith('+') ? text.slice(1) : text;
  if (amount === '0') return 0n;
  if (!grammar.test(amount)) return undefined;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of amount.matchAll(/([0-9]*)(?:\.([0-9]*))?([^0-9.]+)/g)) {
    const size = nanosPerUnit[unit] ?? 0;
    // Go also parses the fraction as a float, with as many digits as fit.
    const digits = fraction.slice(0, 18);
    nanos += BigInt(whole) * BigInt(size) + BigInt(Math.trunc(Number(digits) * (size / 10 ** digits.length)));
  }
  if (nanos > 2n ** 63n - (negative ? 0n : 1n)) return undefined;
  return negative ? -nanos : nanos;
}
