import { request as plainRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { type ConnectionSettings } from '../../kube';

/** Thrown where a profile cannot be had; the message says why. */
export class Unfetched extends Error {
  override readonly name = 'Unfetched' as const;
}

/** What is asked for. */
export interface ProfileRequest {
  /** Below the server of the settings: `/debug/pprof/heap`. */
  readonly path: string;
  /** Milliseconds that the server may be silent. */
  readonly timeout: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The right that it takes, as a sentence goes on after "it takes". */
  readonly right: string;
  /** What is likely where there is nothing at the path. */
  readonly absent: string;
}

/** Bytes of a packed profile at most. */
const maxBytes = 256 * 1024 * 1024;

/** Fetches bytes as whom the settings name. Throws `Unfetched`. */
export async function fetchProfile(settings: ConnectionSettings, asked: ProfileRequest): Promise<Uint8Array> {
  const answer = await send(settings, asked);
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      pieces.push(piece);
      size += piece.length;
      if (size > maxBytes) throw new Unfetched(`${asked.path} has more than 256 MiB`);
    }
  } catch (cause) {
    if (cause instanceof Unfetched) throw cause;
    throw new Unfetched(`${asked.path} broke off: ${(cause as Error).message}`, { cause });
  }
  const body = Buffer.concat(pieces);
  if (answer.statusCode !== 200) throw new Unfetched(refusal(asked, answer.statusCode ?? 0, body));
  return body;
}

async function send(settings: ConnectionSettings, { path, timeout, now }: ProfileRequest): Promise<IncomingMessage> {
  const { token, certificate, key } = await settings.credential(now);
  const url = new URL(`${settings.server.replace(/\/$/, '')}${path}`);
  const headers: OutgoingHttpHeaders = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(settings.impersonate && {
      'impersonate-user': settings.impersonate.user,
      'impersonate-group': [...(settings.impersonate.groups ?? [])],
    }),
  };
  const options = { method: 'GET', agent: false as const, timeout, headers };
  const ca = settings.authority?.(now);
  const tls = {
    ...(ca !== undefined && { ca }),
    ...(certificate !== undefined && { cert: certificate }),
    ...(key !== undefined && { key }),
    ...(settings.serverName !== undefined && { servername: settings.serverName }),
    rejectUnauthorized: settings.insecure !== true,
  };
  return new Promise((resolve, reject) => {
    const asked =
      url.protocol === 'https:'
        ? tlsRequest(url, { ...options, ...tls }, resolve)
        : plainRequest(url, options, resolve);
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${Math.round(timeout / 1000)} s`)));
    asked.on('error', (cause) => reject(new Unfetched(`${url.origin}: ${cause.message}`, { cause })));
    asked.end();
  });
}

function refusal({ path, right, absent }: ProfileRequest, status: number, body: Buffer): string {
  const said = body.toString('utf8').slice(0, 300).trim();
  if (status === 403) return `${path} is refused (403): it takes ${right}; ${said}`;
  if (status === 404) return `${path} is not there (404): ${absent}; ${said}`;
  return `${path} is answered with ${status}: ${said}`;
}
