import { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { impersonationHeaders } from '../../kube';
import { type ApiCaller } from '../identity/api-caller';
import { protocolsWithoutToken } from '../identity/bearer-token';
import { impersonatedCaller } from '../identity/impersonated-caller';

/** Headers that concern one connection only; the gateway has answered Expect itself. */
const hopByHop = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings', 'expect'],
]);
/** Headers that no Connection header removes: without its length, a body would be read as further requests. */
const endToEnd = new Set(['content-length', 'content-type']);
/** Headers that would give a client another identity or address. */
const identifying = new Set(['authorization', 'cookie', 'host', 'x-forwarded-for', 'x-real-ip', 'forwarded']);
const isIdentity = (name: string): boolean =>
  identifying.has(name) || name.startsWith('impersonate-') || name.startsWith('x-remote-');

/** Returns whether a client asks to impersonate another identity, which the gateway rejects instead of ignoring it. */
export const asksImpersonation = (headers: IncomingHttpHeaders): boolean =>
  Object.keys(headers).some((name) => name.startsWith('impersonate-'));

/**
 * Returns the headers of a request as it is passed on, on behalf of a caller: with its own token, or impersonating it.
 * Throws for a caller that cannot be impersonated.
 * @param address - the client's, for the audit log
 */
export function forwardedHeaders(
  headers: IncomingHttpHeaders,
  caller: ApiCaller,
  address?: string,
): OutgoingHttpHeaders {
  const { 'sec-websocket-protocol': _, ...kept } = withoutHopByHop(headers);
  const protocols = protocolsWithoutToken(headers);
  return {
    ...Object.fromEntries(Object.entries(kept).filter(([name]) => !isIdentity(name))),
    ...(protocols !== undefined && { 'sec-websocket-protocol': protocols }),
    ...(address !== undefined && { 'x-forwarded-for': address }),
    ...(caller.token === undefined
      ? impersonationHeaders(impersonatedCaller(caller))
      : { authorization: `Bearer ${caller.token}` }),
  };
}

/** Returns the headers of a response as it is passed back. */
export const returnedHeaders = (headers: IncomingHttpHeaders): OutgoingHttpHeaders => withoutHopByHop(headers);

function withoutHopByHop(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const listed = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const isKept = (name: string): boolean => endToEnd.has(name) || (!hopByHop.has(name) && !listed.has(name));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name)));
}
