import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isPlainObject } from '../../api';
import { LineSplitter } from '../../process';

/** JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Certificates in PEM, as for etcdctl. */
export interface EtcdTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Thrown if an etcd endpoint responds with an error or not at all. */
export class EtcdRequestError extends Error {
  override readonly name = 'EtcdRequestError' as const;
}

/** Request timeout in milliseconds; a healthy member responds within a few. */
const defaultTimeout = 5_000;
/** Maximum bytes of a response that is not a stream; a member list takes a few hundred per member. */
const maxResponseLength = 16 * 1024 * 1024;

/** Endpoint of an etcd member, called through etcd's JSON gateway. */
export class EtcdEndpoint {
  constructor(
    readonly url: string,
    private readonly tls: EtcdTls = {},
  ) {}

  /** Calls a method such as `maintenance/status`. Throws an `EtcdRequestError`. */
  async call(method: string, body: JsonObject = {}, timeout = defaultTimeout): Promise<JsonObject> {
    const chunks: Buffer[] = [];
    let length = 0;
    await this.read(method, body, timeout, (chunk) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxResponseLength) throw new EtcdRequestError(`${this.url}: the response of ${method} is too long`);
    });
    return this.parseObject(method, Buffer.concat(chunks).toString('utf8'));
  }

  /** Calls a method that streams objects; `idleTimeout` is in milliseconds. Throws an `EtcdRequestError`. */
  async stream(
    method: string,
    body: JsonObject,
    idleTimeout: number,
    onResult: (result: JsonObject) => void | Promise<void>,
  ): Promise<void> {
    let lines: string[] = [];
    const splitter = new LineSplitter({ onLine: (line) => lines.push(Buffer.from(line).toString('utf8')) });
    const flush = async (): Promise<void> => {
      const complete = lines;
      lines = [];
      for (const line of complete) if (line.trim() !== '') await onResult(this.parseResult(method, line));
    };
    await this.read(method, body, idleTimeout, (chunk) => {
      splitter.push(chunk);
      return flush();
    });
    splitter.end();
    await flush();
  }

  private parseResult(method: string, line: string): JsonObject {
    const { result } = this.parseObject(method, line);
    if (!isPlainObject(result)) throw new EtcdRequestError(`${this.url}: ${method}: ${line.slice(0, 300)}`);
    return result;
  }

  private parseObject(method: string, text: string): JsonObject {
    try {
      const value: unknown = JSON.parse(text);
      if (isPlainObject(value)) return value;
    } catch {
      // Reported below.
    }
    throw new EtcdRequestError(`${this.url}: the response of ${method} is not a JSON object: ${text.slice(0, 200)}`);
  }

  /** Reads a response chunk by chunk. */
  private async read(
    method: string,
    body: JsonObject,
    idleTimeout: number,
    onChunk: (chunk: Buffer) => void | Promise<void>,
  ): Promise<void> {
    const response = await this.send(method, body, idleTimeout);
    try {
      if (response.statusCode !== 200) throw await this.errorOf(method, response);
      for await (const chunk of response as AsyncIterable<Buffer>) await onChunk(chunk);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      throw new EtcdRequestError(`${this.url}: ${method} was interrupted: ${error.message}`, { cause: error });
    } finally {
      response.destroy();
    }
  }

  private send(method: string, body: JsonObject, idleTimeout: number): Promise<IncomingMessage> {
    const url = new URL(`/v3/${method}`, this.url);
    const options = {
      method: 'POST',
      agent: false,
      timeout: idleTimeout,
      headers: { 'content-type': 'application/json' },
    };
    return new Promise((resolve, reject) => {
      const request =
        url.protocol === 'https:'
          ? tlsRequest(url, { ...options, ...this.tls }, resolve)
          : plainRequest(url, options, resolve);
      request.on('timeout', () => request.destroy(new Error(`no response within ${Math.round(idleTimeout / 1000)} s`)));
      request.on('error', (error) =>
        reject(new EtcdRequestError(`${this.url} does not respond: ${reasonOf(error)}`, { cause: error })),
      );
      request.end(JSON.stringify(body));
    });
  }

  private async errorOf(method: string, response: IncomingMessage): Promise<EtcdRequestError> {
    let text = '';
    response.setEncoding('utf8');
    for await (const chunk of response as AsyncIterable<string>) if (text.length < 10_000) text += chunk;
    const message = ((): unknown => {
      try {
        return (JSON.parse(text) as JsonObject)['message'];
      } catch {
        return undefined;
      }
    })();
    if (typeof message === 'string') return new EtcdRequestError(`${this.url}: ${message}`);
    const remedy = response.statusCode === 404 ? '; its gateway may be disabled: --enable-grpc-gateway' : '';
    return new EtcdRequestError(`${this.url}: ${method} failed with status ${response.statusCode}${remedy}`);
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && !(error instanceof EtcdRequestError) && ('code' in error || error.message === 'aborted');

/** Returns the message of an error; for several addresses, those of each. */
function reasonOf(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((one: Error) => one.message).join(', ');
  return error.message;
}
