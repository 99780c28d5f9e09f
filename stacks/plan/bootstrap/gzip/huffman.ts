/** Prefix code: the code of each symbol and its width in bits, 0 for symbols that do not occur. */
export interface PrefixCode {
  readonly widths: readonly number[];
  readonly codes: readonly number[];
}

interface Package {
  readonly count: number;
  readonly symbols: readonly number[];
}

/** Returns the Huffman code for symbols of these frequencies, with a width of up to `limit` bits; deterministic. */
export function prefixCode(counts: readonly number[], limit: number): PrefixCode {
  const widths = codeWidths(counts, limit);
  return { widths, codes: canonicalCodes(widths) };
}

/** Package-merge (Larmore and Hirschberg, 1990): the width of a symbol is the number of packages that contain it. */
function codeWidths(counts: readonly number[], limit: number): number[] {
  const widths = counts.map(() => 0);
  const leaves = counts
    .map((count, symbol): Package => ({ count, symbols: [symbol] }))
    .filter(({ count }) => count > 0)
    .sort((first, second) => first.count - second.count);
  // A code for a single symbol still needs one bit.
  if (leaves.length === 1) widths[leaves[0]?.symbols[0] ?? 0] = 1;
  let packages: Package[] = [];
  for (let level = 0; level < limit; level++) {
    packages = [...leaves, ...inPairs(packages)].sort((first, second) => first.count - second.count);
  }
  for (const { symbols } of packages.slice(0, 2 * leaves.length - 2)) {
    for (const symbol of symbols) widths[symbol] = (widths[symbol] ?? 0) + 1;
  }
  return widths;
}

function inPairs(packages: readonly Package[]): Package[] {
  const pairs: Package[] = [];
  for (let index = 0; index + 1 < packages.length; index += 2) {
    const [first, second] = [packages[index], packages[index + 1]];
    if (first && second)
      pairs.push({ count: first.count + second.count, symbols: [...first.symbols, ...second.symbols] });
  }
  return pairs;
}

/** Returns the codes in order of width, then of symbol (RFC 1951, 3.2.2). */
function canonicalCodes(widths: readonly number[]): number[] {
  const codes = widths.map(() => 0);
  let code = 0;
  for (let width = 1; width <= Math.max(...widths); width++) {
    code <<= 1;
    widths.forEach((symbolWidth, symbol) => {
      if (symbolWidth === width) codes[symbol] = code++;
    });
  }
  return codes;
}
