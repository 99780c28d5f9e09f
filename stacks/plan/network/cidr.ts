/** IPv4 CIDR block: first address as a number, and prefix length. */
export interface Cidr {
  readonly first: number;
  readonly prefix: number;
}

const pattern = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/;

/** Parses `10.0.0.0/16`. Returns undefined if the text is not a block or its address is not the first one. */
export function parseCidr(text: string): Cidr | undefined {
  const cidr = parseLoosely(text);
  return cidr && cidr.first % addressesIn(cidr) === 0 ? cidr : undefined;
}

/** Returns the block that contains an address with a prefix: 10.0.0.0/16 for `10.0.1.5/16`; undefined if the text is neither. */
export function enclosing(text: string): Cidr | undefined {
  const cidr = parseLoosely(text);
  return cidr && { ...cidr, first: cidr.first - (cidr.first % addressesIn(cidr)) };
}

function parseLoosely(text: string): Cidr | undefined {
  const [, ...numbers] = pattern.exec(text)?.map(Number) ?? [];
  const [a = 256, b = 256, c = 256, d = 256, prefix = 33] = numbers;
  if (Math.max(a, b, c, d) > 255 || prefix > 32) return undefined;
  return { first: ((a * 256 + b) * 256 + c) * 256 + d, prefix };
}

/** Formats an address as `10.0.0.10`. */
export const formatAddress = (address: number): string =>
  [2 ** 24, 2 ** 16, 2 ** 8, 1].map((unit) => Math.floor(address / unit) % 256).join('.');

/** Formats a block as `10.0.0.0/16`. */
export const formatCidr = ({ first, prefix }: Cidr): string => `${formatAddress(first)}/${prefix}`;

/** Returns the number of addresses of a block. */
export const addressesIn = ({ prefix }: Pick<Cidr, 'prefix'>): number => 2 ** (32 - prefix);

/** Returns whether two blocks overlap. */
export const overlap = (a: Cidr, b: Cidr): boolean =>
  a.first < b.first + addressesIn(b) && b.first < a.first + addressesIn(a);

/** Returns whether the outer block contains the inner one. */
export const isSubnetOf = (inner: Cidr, outer: Cidr): boolean => inner.prefix >= outer.prefix && overlap(inner, outer);

/** Returns the n-th sub-block with a longer prefix: /19 number 1 of 10.0.0.0/16 is 10.0.32.0/19. Throws a `RangeError` if the index is out of range. */
export function blockAt(outer: Cidr, prefix: number, index: number): Cidr {
  const blocks = 2 ** (prefix - outer.prefix);
  if (prefix > 32 || !Number.isInteger(blocks) || index < 0 || index >= blocks)
    throw new RangeError(`${formatCidr(outer)} has no /${prefix} number ${index}`);
  return { first: outer.first + index * addressesIn({ prefix }), prefix };
}

/** Returns the n-th address of a block. Throws a `RangeError` if the index is out of range. */
export const addressAt = (cidr: Cidr, index: number): number => blockAt(cidr, 32, index).first;

/** Private blocks of RFC 1918, and RFC 6598 last. */
export const privateBlocks: readonly Cidr[] = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
].flatMap((text) => parseCidr(text) ?? []);

/** Returns the first private block of a prefix that overlaps no used block, if any. */
export function freeBlock(prefix: number, usedBlocks: readonly Cidr[]): Cidr | undefined {
  for (const outer of privateBlocks) {
    let first = outer.first;
    while (prefix >= outer.prefix && first < outer.first + addressesIn(outer)) {
      const block = { first, prefix };
      const ends = usedBlocks.filter((other) => overlap(other, block)).map((other) => other.first + addressesIn(other));
      if (ends.length === 0) return block;
      const size = addressesIn(block);
      first = Math.ceil(Math.max(...ends) / size) * size;
    }
  }
  return undefined;
}
