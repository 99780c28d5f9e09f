import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Clock, errorText, type Log } from '../../client';
import { listen } from '../../process';
import { ProcessProfiler } from './process-profiler';

/** Dependencies of the profile server. */
export interface ProfileDeps {
  readonly clock: Clock;
  readonly log: Log;
}

/** Default seconds of a CPU profile, as in Go programs. */
const defaultSeconds = 30;
const maxSeconds = 600;

const paths = { heap: '/debug/pprof/heap', cpu: '/debug/pprof/profile' };

/**
 * Serves profiles of this process at the same paths as Go programs: /debug/pprof/heap, and
 * /debug/pprof/profile?seconds=N (1 to 600, default 30). It takes one profile at a time and otherwise responds with
 * 409; it aborts a profile if the client disconnects. Port 0 selects a free one.
 */
export async function serveProfiles(port: number, host: string, { clock, log }: ProfileDeps): Promise<Server> {
  const profiler = await ProcessProfiler.start(clock);
  let isBusy = false;
  const server = createServer((request, response) => {
    const profileRequest = parseRequest(request);
    if ('rejection' in profileRequest) return reject(response, ...profileRequest.rejection);
    if (isBusy) return reject(response, 409, 'another profile is being taken');
    isBusy = true;
    const aborted = new AbortController();
    response.once('close', () => aborted.abort());
    const profile =
      profileRequest.seconds === undefined ? profiler.heap() : profiler.cpu(profileRequest.seconds, aborted.signal);
    log.info('profile started', {
      type: profileRequest.type,
      ...(profileRequest.seconds !== undefined && { seconds: profileRequest.seconds }),
    });
    void profile
      .then(
        (bytes) => bytes && sendProfile(response, profileRequest.type, bytes),
        (error: unknown) => {
          log.error('profile failed', { type: profileRequest.type, error: errorText(error) });
          reject(response, 500, 'failed to take the profile');
        },
      )
      .finally(() => {
        isBusy = false;
      });
  });
  server.once('close', () => profiler.stop());
  try {
    return await listen(server, port, host);
  } catch (error) {
    profiler.stop();
    throw error;
  }
}

type ProfileRequest =
  | { readonly type: 'heap' | 'cpu'; readonly seconds?: number }
  | { readonly rejection: readonly [status: number, message: string] };

/** Parses a request; only CPU profiles have seconds. */
function parseRequest({ method, url = '' }: IncomingMessage): ProfileRequest {
  const [path, query] = url.split('?', 2);
  if (path !== paths.heap && path !== paths.cpu)
    return { rejection: [404, `not found; use ${paths.heap} or ${paths.cpu}`] };
  if (method !== 'GET') return { rejection: [405, 'use GET to fetch profiles'] };
  const text = new URLSearchParams(query).get('seconds');
  if (path === paths.heap)
    return text === null
      ? { type: 'heap' }
      : { rejection: [400, 'a heap profile is a snapshot and does not accept seconds'] };
  const seconds = Number(text ?? defaultSeconds);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > maxSeconds)
    return { rejection: [400, `seconds must be an integer from 1 to ${maxSeconds}`] };
  return { type: 'cpu', seconds };
}

const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

function sendProfile(response: ServerResponse, type: string, bytes: Uint8Array): void {
  response.writeHead(200, {
    ...commonHeaders,
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${type}.pb.gz"`,
    'content-length': bytes.length,
  });
  response.end(bytes);
}

function reject(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { ...commonHeaders, 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
}
