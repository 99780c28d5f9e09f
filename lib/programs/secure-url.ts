const loopbackHosts = /^(127\.0\.0\.1|localhost|\[::1\])$/;

/** Whether a URL is one of http on a loopback address, as where everything runs on one machine. */
export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && loopbackHosts.test(hostname);

/** Whether a text is a URL over which secrets may go: https, or http on a loopback address, and nothing but a place. */
export function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text) || /[?#\s]/.test(text)) return false;
  const url = new URL(text);
  return (url.protocol === 'https:' || isLoopback(url)) && url.username === '' && url.password === '';
}

const secretParameter = /token|secret|password|passwd|signature|^(sig|auth|api_?key|key)$/i;

/** Whether a text is a URL with a user, a password or a parameter that is called like a secret. A path may be one too, which nobody can tell. */
export function holdsSecret(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return (
    url.username !== '' ||
    url.password !== '' ||
    [...url.searchParams.keys()].some((name) => secretParameter.test(name))
  );
}

/** Whether a text is a URL that can be called: of http or https, without user and password, which no request takes. */
export function isWebhook(text: string): boolean {
  if (!/^https?:\/\/\S+$/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
