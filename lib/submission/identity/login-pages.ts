import { type RouteResponse } from './route';

/** Headers against caching, framing, referrers and scripts. */
const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

const page = (title: string, head: string, content: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${title}</title>${head}</head><body><main><h1>${title}</h1>${content}</main></body></html>`;

/** Returns a redirect to another location. */
export const redirect = (location: string, cookies: readonly string[]): RouteResponse => ({
  status: 303,
  headers: { ...securityHeaders, location, 'set-cookie': cookies },
  body: '',
});

/**
 * Returns the page after a successful login, which leads to another location. A page instead of a redirect: browsers
 * send no strict cookie along a redirect that started at another site, but do so when a page of this site navigates.
 */
export const loggedInPage = (location: string, cookies: readonly string[]): RouteResponse => {
  const href = escaped(location);
  const refresh = `<meta http-equiv="refresh" content="0;url=${href}">`;
  const body = page('Logged in', refresh, `<p><a href="${href}">Continue</a></p>`);
  return { status: 200, headers: { ...securityHeaders, ...html, 'set-cookie': cookies }, body };
};

/** Returns the page that explains why a login failed, and how to try again. */
export const loginFailedPage = (status: number, message: string, retryUrl: string): RouteResponse => {
  const content = `<p>${escaped(message)}</p><p><a href="${escaped(retryUrl)}">Log in again</a></p>`;
  return { status, headers: { ...securityHeaders, ...html }, body: page('Not logged in', '', content) };
};

const html = { 'content-type': 'text/html; charset=utf-8' } as const;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
