const loopbackHosts = /^(127\.0\.0\.1|localhost|\[::1\])$/;

/** Returns whether a URL is http on a loopback address, as in local setups. */
export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && loopbackHosts.test(hostname);

/**
 * Returns whether a string is a URL to which secrets can be sent: https, or http on a loopback address, without
 * credentials, query or fragment.
 */
export function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text) || /[?#\s]/.test(text)) return false;
  const url = new URL(text);
  return (url.protocol === 'https:' || isLoopback(url)) && url.username === '' && url.password === '';
}

const secretParameter = /token|secret|password|passwd|signature|^(sig|auth|api_?key|key)$/i;

/**
 * Returns whether a URL contains a user, a password, or a parameter whose name suggests a secret. Secrets in paths are
 * not detected.
 */
export function containsSecret(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return (
    url.username !== '' ||
    url.password !== '' ||
    [...url.searchParams.keys()].some((name) => secretParameter.test(name))
  );
}

/** Returns whether a string is an http or https URL without user and password, which fetch rejects. */
export function isWebhook(text: string): boolean {
  if (!/^https?:\/\/\S+$/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
