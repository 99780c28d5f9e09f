import { userAgentProduct, withoutIdentifiers } from '../../kube';

/** Name of clients that send no user agent. */
export const noUserAgent = '(none)';

/** Products of HTTP and Kubernetes libraries that a program sends unless it sets its own user agent; lower case. */
const libraries = new Set([
  ...['go-http-client', 'openapi-generator', 'swagger-codegen', 'fabric8-kubernetes-client', 'kube-rs', 'reqwest'],
  ...['python-requests', 'python-urllib', 'python-urllib3', 'python-httpx', 'python', 'aiohttp'],
  ...['curl', 'wget', 'okhttp', 'java', 'java-http-client', 'apache-httpclient', 'jersey', 'ktor-client', 'ruby'],
  ...['node', 'node-fetch', 'undici', 'axios', 'got', 'faraday', 'rest-client', 'guzzlehttp', 'libwww-perl'],
]);

/** Names of binaries that client-go sends as its default user agent and that identify no program; lower case. */
const genericBinaries = new Set([
  ...['main', 'app', 'manager', 'controller', 'operator', 'server', 'agent', 'client', 'exe', 'run', 'unknown'],
  ...['__debug_bin', 'controller-manager'],
]);

/**
 * Returns the product of a user agent without its version, such as `kubectl` of `kubectl/v1.36.3 (linux/amd64)`, so that
 * the processes of one program have one name. Identifiers in it become `*`.
 */
export function normalizeUserAgent(text: string): string {
  const product = userAgentProduct(text);
  return product === '' ? noUserAgent : withoutIdentifiers(product);
}

/** Returns whether a normalized user agent names no program: it is absent, or the default of a library. */
export function isUnknownUserAgent(userAgent: string): boolean {
  const product = userAgent.toLowerCase();
  return userAgent === noUserAgent || libraries.has(product) || genericBinaries.has(product.replace(/[_*\d]+$/, ''));
}
