import { type IncomingHttpHeaders } from 'node:http';

/** Prefix of the websocket protocol that carries a token: browsers cannot send the header Authorization with one. */
const tokenProtocol = /^base64url\.bearer\.authorization\.k8s\.io\./i;

/**
 * Returns the token of a client: of the header Authorization, or of the protocols that a websocket offers, which must
 * include another one, as at the API server. Returns undefined without one token that can be read.
 */
export function tokenOf(headers: IncomingHttpHeaders): string | undefined {
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (token !== undefined || headers.upgrade?.toLowerCase() !== 'websocket') return token;
  const protocols = protocolsOf(headers);
  const [encoded, ...more] = protocols.filter(isToken).map((protocol) => protocol.replace(tokenProtocol, ''));
  if (encoded === undefined || more.length > 0 || protocols.length < 2) return undefined;
  return decoded(encoded);
}

/** Returns the value of Sec-WebSocket-Protocol without tokens; undefined if nothing is left. */
export function protocolsWithoutToken(headers: IncomingHttpHeaders): string | undefined {
  const others = protocolsOf(headers).filter((protocol) => !isToken(protocol));
  return others.length > 0 ? others.join(', ') : undefined;
}

const isToken = (protocol: string): boolean => tokenProtocol.test(protocol);

const protocolsOf = (headers: IncomingHttpHeaders): string[] =>
  (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '');

function decoded(encoded: string): string | undefined {
  if (!/^[\w-]+$/.test(encoded)) return undefined;
  try {
    const token = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64url'));
    return token === '' ? undefined : token;
  } catch {
    return undefined;
  }
}
