import { type IncomingHttpHeaders } from 'node:http';
import { HttpRejection } from './http-rejection';

/**
 * Rejects cross-site requests with a session: browsers send the origin in Sec-Fetch-Site or Origin, which scripts cannot
 * change.
 */
export function requireSameOrigin(headers: IncomingHttpHeaders, publicOrigin: string | undefined): void {
  const site = headers['sec-fetch-site'];
  const isOwn =
    site === undefined
      ? isOwnOrigin(headers, publicOrigin)
      : site === 'same-origin' && originMatches(headers, publicOrigin);
  if (isOwn) return;
  throw new HttpRejection(403, {
    title: 'Forbidden',
    detail: 'Requests with a session must come from the page of the service.',
  });
}

/** Rejects bodies that are not JSON: a form of another site cannot send this type. */
export function requireJson(headers: IncomingHttpHeaders): void {
  if (/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return;
  throw new HttpRejection(415, {
    title: 'Unsupported Media Type',
    detail: 'Send Content-Type: application/json.',
  });
}

const originMatches = (headers: IncomingHttpHeaders, publicOrigin: string | undefined): boolean =>
  headers.origin === undefined || isOwnOrigin(headers, publicOrigin);

function isOwnOrigin({ origin, host }: IncomingHttpHeaders, publicOrigin: string | undefined): boolean {
  if (origin === undefined) return false;
  if (publicOrigin !== undefined) return origin === publicOrigin;
  return origin === `http://${host}` || origin === `https://${host}`;
}
