import { type RouteAnswer } from './route';

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

/** Leads the browser to another place. */
export const redirect = (location: string, cookies: readonly string[]): RouteAnswer => ({
  status: 303,
  headers: { ...guards, location, 'set-cookie': cookies },
  body: '',
});

/**
 * Says that the login is done, and leads on. It is a page and no redirect: a browser sends no strict cookie along a redirect that
 * began at another site, but does where a page of our own leads on.
 */
export const loggedIn = (location: string, cookies: readonly string[]): RouteAnswer => {
  const place = escaped(location);
  const refresh = `<meta http-equiv="refresh" content="0;url=${place}">`;
  const body = page('Logged in', refresh, `<p><a href="${place}">Continue</a></p>`);
  return { status: 200, headers: { ...guards, ...html, 'set-cookie': cookies }, body };
};

/** Says why the login did not come about, and how to begin again. */
export const notLoggedIn = (status: number, why: string, again: string): RouteAnswer => {
  const content = `<p>${escaped(why)}</p><p><a href="${escaped(again)}">Log in again</a></p>`;
  return { status, headers: { ...guards, ...html }, body: page('Not logged in', '', content) };
};

const html = { 'content-type': 'text/html; charset=utf-8' } as const;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
