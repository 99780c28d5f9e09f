/** Maximum characters of a product. */
const maxLength = 40;

/** Returns the product of a user agent without its version: `kubectl` of `kubectl/v1.36.3 (linux/amd64)`; empty if there is none. */
export function userAgentProduct(userAgent: string): string {
  const [product = ''] = /^[\w.-]+/.exec(userAgent) ?? [];
  return product.slice(0, maxLength);
}
