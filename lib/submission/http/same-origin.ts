import { type IncomingHttpHeaders } from 'node:http';
import { TurnedAway } from './turned-away';

/**
 * Refuses what another site has a browser send with somebody's session: the browser says where a request comes from, in
 * Sec-Fetch-Site or in Origin, and no script can write either.
 */
export function requireSameOrigin(headers: IncomingHttpHeaders, own: string | undefined): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? isOwnOrigin(headers, own) : site === 'same-origin' && originAgrees(headers, own);
  if (isOwn) return;
  throw new TurnedAway(403, {
    title: 'Forbidden',
    detail: 'A session changes something only from the page of the service itself.',
  });
}

/** Only JSON that a script of the page itself writes: a form of another site cannot send this type. */
export function requireJson(headers: IncomingHttpHeaders): void {
  if (/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return;
  throw new TurnedAway(415, {
    title: 'Unsupported Media Type',
    detail: 'Send Content-Type: application/json; a session changes nothing without it.',
  });
}

const originAgrees = (headers: IncomingHttpHeaders, own: string | undefined): boolean =>
  headers.origin === undefined || isOwnOrigin(headers, own);

function isOwnOrigin({ origin, host }: IncomingHttpHeaders, own: string | undefined): boolean {
  if (origin === undefined) return false;
  if (own !== undefined) return origin === own;
  return origin === `http://${host}` || origin === `https://${host}`;
}
