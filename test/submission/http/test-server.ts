import { Registry } from 'prom-client';
import { type RequestAuditRecord } from '../../../lib/submission/http/audit';
import { type HttpServerOptions } from '../../../lib/submission/http/http-server-options';
import { startHttpServer, type HttpServer } from '../../../lib/submission/http/start-http-server';
import { type SubmissionService } from '../../../lib/submission/service';
import { knownNames } from './known-names';
import { RecordingService } from './recording-service';

/** The machine's clock, as in the process of the service. */
export const realClock = {
  now: () => Date.now(),
  after: (milliseconds: number, callback: () => void) => {
    // Timers left at the end of a test keep no process alive.
    const timer = setTimeout(callback, milliseconds).unref();
    return () => clearTimeout(timer);
  },
  random: () => 0.5,
};

export interface LogLine {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A server on free ports of the loopback address, with everything that it logged. */
export interface TestServer {
  readonly url: string;
  readonly statusUrl: string;
  readonly service: RecordingService;
  readonly audit: RequestAuditRecord[];
  readonly errors: LogLine[];
  readonly httpServer: HttpServer;
  /** Sends a request, as ana unless the headers override it. */
  sendRequest(path: string, init?: RequestInit): Promise<Response>;
  /** Posts JSON as ana, with an idempotency key. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

// Servers and clients share a busy machine.
jest.setTimeout(30_000);
const running: HttpServer[] = [];
afterEach(() => Promise.all(running.splice(0).map((httpServer) => httpServer.stop())));

/** Starts a server, which is stopped after the test. */
export async function startTestServer(
  overrides: Partial<SubmissionService> = {},
  options: Partial<HttpServerOptions> = {},
): Promise<TestServer> {
  const service = new RecordingService(overrides);
  const audit: RequestAuditRecord[] = [];
  const errors: LogLine[] = [];
  const httpServer = await startHttpServer({
    service,
    identity: knownNames,
    clock: realClock,
    log: { info: () => undefined, error: (message, fields = {}) => errors.push({ message, fields }) },
    audit: (record) => audit.push(record),
    registry: new Registry(),
    host: '127.0.0.1',
    port: 0,
    statusPort: 0,
    ...options,
  });
  running.push(httpServer);
  const url = `http://127.0.0.1:${httpServer.port}`;
  const sendRequest = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(url + path, { ...init, headers: { authorization: 'Bearer ana-token', ...(init.headers as object) } });
  const post: TestServer['post'] = (path, body, headers = {}) =>
    sendRequest(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'idempotency-key': 'key-of-a-test', ...headers },
    });
  return {
    url,
    statusUrl: `http://127.0.0.1:${httpServer.statusPort}`,
    service,
    audit,
    errors,
    httpServer,
    sendRequest,
    post,
  };
}
