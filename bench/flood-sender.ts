import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { sleep } from './controller/sleep';

/** Connections of a flood; those behind an ingress share its connections in the same way. */
const connections = 16;
/** Milliseconds between two bursts. */
const tick = 10;

/** Issuer whose tokens a flood forges. */
interface ForgedIssuer {
  readonly issuer: string;
  readonly audience: string;
  /** Key ID of the issuer, so that only the signature is wrong. */
  readonly keyId: string;
}

/** Returns a token that is valid except for its signature. */
function forgedToken({ issuer, audience, keyId }: ForgedIssuer): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    aud: audience,
    sub: `unknown-${iat}`,
    iat,
    exp: iat + 3600,
    jti: randomBytes(8).toString('hex'),
  };
  return `${part({ alg: 'RS256', kid: keyId, typ: 'JWT' })}.${part(claims)}.${randomBytes(256).toString('base64url')}`;
}

/**
 * Sends requests without credentials and with forged tokens at a fixed rate until the signal is aborted; every token is
 * different. Returns the number of responses by status.
 */
export async function sendFlood(
  url: string,
  requestsPerSecond: number,
  issuers: readonly ForgedIssuer[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const { hostname, port, host } = new URL(url);
  const statuses = new Map<string, number>();
  const open = (): Socket => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      for (const [, status = ''] of data.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g))
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    return socket;
  };
  const sockets = Array.from({ length: connections }, open);
  const startedAt = performance.now();
  for (let sent = 0; !signal.aborted; await sleep(tick)) {
    const due = ((performance.now() - startedAt) / 1000) * requestsPerSecond;
    for (; sent < due; sent++) {
      const slot = sent % connections;
      const socket = sockets[slot]?.writable ? sockets[slot] : (sockets[slot] = open());
      const forged = issuers[sent % (issuers.length + 1)];
      const credentials = forged ? `authorization: Bearer ${forgedToken(forged)}\r\n` : '';
      socket.write(`GET /v1/projects HTTP/1.1\r\nhost: ${host}\r\n${credentials}\r\n`);
    }
  }
  for (const socket of sockets) socket.destroy();
  return statuses;
}
