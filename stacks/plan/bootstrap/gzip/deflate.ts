import { type BitWriter } from './bit-writer';
import { prefixCode, type PrefixCode } from './huffman';
import { longest, shortest, type Token } from './repetitions';

/** Symbol with its extra bits. */
interface CodedSymbol {
  readonly symbol: number;
  readonly width: number;
  readonly extraBits: number;
}

const endOfBlock: CodedSymbol = { symbol: 256, width: 0, extraBits: 0 };

/** Writes tokens as one final block with dynamic Huffman codes (RFC 1951, 3.2.7). */
export function writeBlock(tokens: readonly Token[], writer: BitWriter): void {
  const literals = [...tokens.map(literalOf), endOfBlock];
  const distances = tokens.map((token) => ('byte' in token ? undefined : distanceOf(token.distance)));
  const literalCode = prefixCode(countsOf(literals, 286), 15);
  const distanceCode = prefixCode(countsOf(distances, 30), 15);
  writer.bits(0b101, 3);
  writeCodes(literalCode, distanceCode, writer);
  literals.forEach((literal, index) => {
    writeSymbol(literal, literalCode, writer);
    const distance = distances[index];
    if (distance) writeSymbol(distance, distanceCode, writer);
  });
}

function writeSymbol(
  { symbol, width, extraBits }: CodedSymbol,
  { codes, widths }: PrefixCode,
  writer: BitWriter,
): void {
  writer.code(codes[symbol] ?? 0, widths[symbol] ?? 0);
  writer.bits(extraBits, width);
}

function countsOf(symbols: readonly (CodedSymbol | undefined)[], size: number): number[] {
  const counts = Array.from({ length: size }, () => 0);
  for (const one of symbols) if (one) counts[one.symbol] = (counts[one.symbol] ?? 0) + 1;
  return counts;
}

/** Order of the code length code (RFC 1951, 3.2.7). */
const widthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Writes both codes as code lengths, which are themselves Huffman-coded; runs of equal lengths are not compressed. */
function writeCodes(literals: PrefixCode, distances: PrefixCode, writer: BitWriter): void {
  const widths = [...literals.widths, ...distances.widths];
  const code = prefixCode(
    Array.from({ length: 19 }, (_, width) => widths.filter((one) => one === width).length),
    7,
  );
  writer.bits(literals.widths.length - 257, 5);
  writer.bits(distances.widths.length - 1, 5);
  writer.bits(widthOrder.length - 4, 4);
  for (const symbol of widthOrder) writer.bits(code.widths[symbol] ?? 0, 3);
  for (const width of widths) writer.code(code.codes[width] ?? 0, code.widths[width] ?? 0);
}

function literalOf(token: Token): CodedSymbol {
  if ('byte' in token) return { symbol: token.byte, width: 0, extraBits: 0 };
  if (token.length === longest) return { symbol: 285, width: 0, extraBits: 0 };
  const { symbol, width, extraBits } = classOf(token.length - shortest, 2);
  return { symbol: 257 + symbol, width, extraBits };
}

const distanceOf = (distance: number): CodedSymbol => classOf(distance - 1, 1);

/** Returns the symbol of a number and its extra bits; the symbol has `significant` bits after the first. */
function classOf(value: number, significant: number): CodedSymbol {
  if (value < 1 << significant) return { symbol: value, width: 0, extraBits: 0 };
  const width = 31 - Math.clz32(value) - significant;
  return { symbol: (width << significant) + (value >> width), width, extraBits: value & ((1 << width) - 1) };
}
