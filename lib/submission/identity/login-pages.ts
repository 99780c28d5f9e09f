import { type RouteResponse } from './route';

/** Headers against caching, framing, referrers and scripts. */
const guards = {
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
  headers: { ...guards, location, 'set-cookie': cookies },
  body: '',
});

/**
 * Returns the page after a successful login, which leads to another location. A page instead of a redirect: browsers
 * send no strict cookie along a redirect that started at another site, but do so when a page of this site navigates.
 */
export const loggedIn = (location: string, cookies: readonly string[]): RouteResponse => {
  const place = escaped(location);
  const refresh = `<meta http-equiv="refresh" content="0;url=${place}">`;
  const body = page('Logged in', refresh, `<p><a href="${place}">Continue</a></p>`);
  return { status: 200, headers: { ...guards, ...html, 'set-cookie': cookies }, body };
};

/** Returns the page that explains why a login failed, and how to try again. */
export const notLoggedIn = (status: number, why: string, again: string): RouteResponse => {
  const content = `<p>${escaped(why)}</p><p><a href="${escaped(again)}">Log in again</a></p>`;
  return { status, headers: { ...guards, ...html }, body: page('Not logged in', '', content) };
};

const html = { 'content-type': 'text/html; charset=utf-8' } as const;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
