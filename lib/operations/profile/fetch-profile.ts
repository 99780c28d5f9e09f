import { request as plainRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { type ConnectionSettings } from '../../kube';

/** Thrown if a profile cannot be fetched. */
export class ProfileUnavailable extends Error {
  override readonly name = 'ProfileUnavailable' as const;
}

/** Request for a profile. */
export interface ProfileRequest {
  /** Path on the server, such as `/debug/pprof/heap`. */
  readonly path: string;
  /** Idle timeout in milliseconds. */
  readonly timeout: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Required RBAC permission, as in "it requires …". */
  readonly permission: string;
  /** Likely reason for a 404. */
  readonly notFoundHint: string;
}

/** Maximum bytes of a compressed profile. */
const maxBytes = 256 * 1024 * 1024;

/** Fetches a profile with the credentials of the settings. Throws `ProfileUnavailable`. */
export async function fetchProfile(settings: ConnectionSettings, request: ProfileRequest): Promise<Uint8Array> {
  const response = await send(settings, request);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) throw new ProfileUnavailable(`${request.path} is larger than 256 MiB`);
    }
  } catch (cause) {
    if (cause instanceof ProfileUnavailable) throw cause;
    throw new ProfileUnavailable(`${request.path} was interrupted: ${(cause as Error).message}`, { cause });
  }
  const body = Buffer.concat(chunks);
  if (response.statusCode !== 200)
    throw new ProfileUnavailable(failureMessage(request, response.statusCode ?? 0, body));
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
    const request =
      url.protocol === 'https:'
        ? tlsRequest(url, { ...options, ...tls }, resolve)
        : plainRequest(url, options, resolve);
    request.on('timeout', () => request.destroy(new Error(`no response within ${Math.round(timeout / 1000)} s`)));
    request.on('error', (cause) => reject(new ProfileUnavailable(`${url.origin}: ${cause.message}`, { cause })));
    request.end();
  });
}

function failureMessage({ path, permission, notFoundHint }: ProfileRequest, status: number, body: Buffer): string {
  const detail = body.toString('utf8').slice(0, 300).trim();
  if (status === 403) return `${path} is forbidden (403): it requires ${permission}; ${detail}`;
  if (status === 404) return `${path} not found (404): ${notFoundHint}; ${detail}`;
  return `${path} failed with status ${status}: ${detail}`;
}
