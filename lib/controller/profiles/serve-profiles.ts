import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Clock, errorText, type Log } from '../../kube';
import { listen } from '../listen';
import { OwnProfiler } from './own-profiler';

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
  const profiler = await OwnProfiler.start(clock);
  let isBusy = false;
  const server = createServer((request, response) => {
    const asked = askedBy(request);
    if ('refused' in asked) return refuse(response, ...asked.refused);
    if (isBusy) return refuse(response, 409, 'another profile is being taken');
    isBusy = true;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const taken = asked.seconds === undefined ? profiler.heap() : profiler.cpu(asked.seconds, gone.signal);
    log.info('profile begun', { of: asked.of, ...(asked.seconds !== undefined && { seconds: asked.seconds }) });
    void taken
      .then(
        (bytes) => bytes && answer(response, asked.of, bytes),
        (error: unknown) => {
          log.error('profile failed', { of: asked.of, error: errorText(error) });
          refuse(response, 500, 'the profile could not be taken');
        },
      )
      .finally(() => {
        isBusy = false;
      });
  });
  server.once('close', () => profiler.end());
  try {
    return await listen(server, port, host);
  } catch (error) {
    profiler.end();
    throw error;
  }
}

type Asked =
  | { readonly of: 'heap' | 'cpu'; readonly seconds?: number }
  | { readonly refused: readonly [status: number, why: string] };

/** Parses a request; only CPU profiles have seconds. */
function askedBy({ method, url = '' }: IncomingMessage): Asked {
  const [path, query] = url.split('?', 2);
  if (path !== paths.heap && path !== paths.cpu) return { refused: [404, `there are ${paths.heap} and ${paths.cpu}`] };
  if (method !== 'GET') return { refused: [405, 'use GET to fetch profiles'] };
  const text = new URLSearchParams(query).get('seconds');
  if (path === paths.heap)
    return text === null
      ? { of: 'heap' }
      : { refused: [400, 'a heap profile is a snapshot and does not accept seconds'] };
  const seconds = Number(text ?? defaultSeconds);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > maxSeconds)
    return { refused: [400, `seconds must be an integer from 1 to ${maxSeconds}`] };
  return { of: 'cpu', seconds };
}

const always = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

function answer(response: ServerResponse, of: string, bytes: Uint8Array): void {
  response.writeHead(200, {
    ...always,
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${of}.pb.gz"`,
    'content-length': bytes.length,
  });
  response.end(bytes);
}

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { ...always, 'content-type': 'text/plain; charset=utf-8' }).end(`${why}\n`);
}
