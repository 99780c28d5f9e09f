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
