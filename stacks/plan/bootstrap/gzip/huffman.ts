/** A prefix code: the bits of each symbol and how many they are, 0 for symbols that do not occur. */
export interface PrefixCode {
  readonly widths: readonly number[];
  readonly codes: readonly number[];
}

interface Package {
  readonly count: number;
  readonly symbols: readonly number[];
}

/** Returns the Huffman code for symbols of these frequencies, with lengths of at most `limit`; deterministic. */
export function prefixCode(counts: readonly number[], limit: number): PrefixCode {
  const widths = codeWidths(counts, limit);
  return { widths, codes: canonicalCodes(widths) };
}

/** Package-merge (Larmore and Hirschberg, 1990): a symbol is as wide as the number of packages that it is in. */
function codeWidths(counts: readonly number[], limit: number): number[] {
  const widths = counts.map(() => 0);
  const leaves = counts
    .map((count, symbol): Package => ({ count, symbols: [symbol] }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => one.count - other.count);
  // A code of one symbol has a bit all the same.
  if (leaves.length === 1) widths[leaves[0]?.symbols[0] ?? 0] = 1;
  let packages: Package[] = [];
  for (let level = 0; level < limit; level++) {
    packages = [...leaves, ...inPairs(packages)].sort((one, other) => one.count - other.count);
  }
  for (const { symbols } of packages.slice(0, 2 * leaves.length - 2)) {
    for (const symbol of symbols) widths[symbol] = (widths[symbol] ?? 0) + 1;
  }
  return widths;
}

function inPairs(packages: readonly Package[]): Package[] {
  const pairs: Package[] = [];
  for (let at = 0; at + 1 < packages.length; at += 2) {
    const [one, other] = [packages[at], packages[at + 1]];
    if (one && other) pairs.push({ count: one.count + other.count, symbols: [...one.symbols, ...other.symbols] });
  }
  return pairs;
}

/** Codes in the order of their widths, then of their symbols (RFC 1951, 3.2.2). */
function canonicalCodes(widths: readonly number[]): number[] {
  const codes = widths.map(() => 0);
  let code = 0;
  for (let width = 1; width <= Math.max(...widths); width++) {
    code <<= 1;
    widths.forEach((own, symbol) => {
      if (own === width) codes[symbol] = code++;
    });
  }
  return codes;
}
