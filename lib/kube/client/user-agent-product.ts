import { boundedName } from './bounded-name';

/** Maximum bytes of a product, and characters of a user agent that are read. */
const [maxBytes, maxLength] = [40, 200];
/** UUIDs, hexadecimal identifiers and long numbers. */
const identifier = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[a-f]*\d)[0-9a-f]{8,}|\d{4,}/gi;

/** Replaces the identifiers in a name by `*`, so that the processes of one program have one name. */
export const withoutIdentifiers = (name: string): string => name.replace(identifier, '*');

/**
 * Returns the product of a user agent without its version: `kubectl` of `kubectl/v1.36.3 (linux/amd64)`; empty if there is
 * none. Of a product above 40 characters, the end is a hash of it without identifiers.
 */
export function userAgentProduct(userAgent: string): string {
  // Also what this function returned.
  const [product = ''] = /^[\w.*-]+/.exec(userAgent.slice(0, maxLength)) ?? [];
  return product.length > maxBytes ? boundedName(withoutIdentifiers(product), maxBytes) : product;
}
