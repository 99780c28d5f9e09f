import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isPlainObject } from '../../api';

/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Certificates as PEM, as etcd's own command line takes them. */
export interface EtcdTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Thrown where an endpoint of etcd answers with an error, or not at all. */
export class EtcdRefusal extends Error {
  override readonly name = 'EtcdRefusal' as const;
}

/** Milliseconds that a member has for an answer; a healthy one needs a few. */
const answerTime = 5_000;
/** Characters of an answer that is no stream; a list of members takes some hundred each. */
const maxCharacters = 16 * 1024 * 1024;

/** One address of an etcd member, asked by JSON over HTTP: the gateway that etcd has by default. */
export class EtcdEndpoint {
  constructor(
    readonly url: string,
    private readonly tls: EtcdTls = {},
  ) {}

  /** Calls a method such as `maintenance/status`. Throws an `EtcdRefusal`. */
  async call(method: string, body: JsonObject = {}, timeout = answerTime): Promise<JsonObject> {
    let text = '';
    await this.read(method, body, timeout, (piece) => {
      text += piece;
      if (text.length > maxCharacters) throw new EtcdRefusal(`${this.url} answers ${method} without an end`);
    });
    return this.objectIn(method, text);
  }

  /** Calls a method that answers with many objects, and hands over each. Throws an `EtcdRefusal`. */
  async stream(
    method: string,
    body: JsonObject,
    silence: number,
    onResult: (result: JsonObject) => void | Promise<void>,
  ): Promise<void> {
    let rest = '';
    await this.read(method, body, silence, async (piece) => {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') await onResult(this.resultIn(method, line));
    });
    if (rest.trim() !== '') await onResult(this.resultIn(method, rest));
  }

  private resultIn(method: string, line: string): JsonObject {
    const { result } = this.objectIn(method, line);
    if (!isPlainObject(result)) throw new EtcdRefusal(`${this.url}: ${method}: ${line.slice(0, 300)}`);
    return result;
  }

  private objectIn(method: string, text: string): JsonObject {
    try {
      const said: unknown = JSON.parse(text);
      if (isPlainObject(said)) return said;
    } catch {
      // Told below.
    }
    throw new EtcdRefusal(`${this.url} answers ${method} with what is no object of JSON: ${text.slice(0, 200)}`);
  }

  /** Reads an answer piece by piece; `silence` is the longest pause in milliseconds. */
  private async read(
    method: string,
    body: JsonObject,
    silence: number,
    take: (piece: string) => void | Promise<void>,
  ): Promise<void> {
    const answer = await this.send(method, body, silence);
    answer.setEncoding('utf8');
    try {
      if (answer.statusCode !== 200) throw await this.refusal(method, answer);
      for await (const piece of answer as AsyncIterable<string>) await take(piece);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      throw new EtcdRefusal(`${this.url} broke off ${method}: ${error.message}`, { cause: error });
    } finally {
      answer.destroy();
    }
  }

  private send(method: string, body: JsonObject, silence: number): Promise<IncomingMessage> {
    const url = new URL(`/v3/${method}`, this.url);
    const options = { method: 'POST', agent: false, timeout: silence, headers: { 'content-type': 'application/json' } };
    return new Promise((resolve, reject) => {
      const asked =
        url.protocol === 'https:'
          ? tlsRequest(url, { ...options, ...this.tls }, resolve)
          : plainRequest(url, options, resolve);
      asked.on('timeout', () => asked.destroy(new Error(`no answer within ${Math.round(silence / 1000)} s`)));
      asked.on('error', (error) =>
        reject(new EtcdRefusal(`${this.url} does not answer: ${reasonOf(error)}`, { cause: error })),
      );
      asked.end(JSON.stringify(body));
    });
  }

  private async refusal(method: string, answer: IncomingMessage): Promise<EtcdRefusal> {
    let text = '';
    for await (const piece of answer as AsyncIterable<string>) if (text.length < 10_000) text += piece;
    const said = ((): unknown => {
      try {
        return (JSON.parse(text) as JsonObject)['message'];
      } catch {
        return undefined;
      }
    })();
    if (typeof said === 'string') return new EtcdRefusal(`${this.url}: ${said}`);
    const remedy = answer.statusCode === 404 ? '; its gateway may be off: --enable-grpc-gateway' : '';
    return new EtcdRefusal(`${this.url} answers ${method} with ${answer.statusCode}${remedy}`);
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && !(error instanceof EtcdRefusal) && ('code' in error || error.message === 'aborted');

/** An error of several addresses has an empty message, and says why in its parts. */
function reasonOf(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((one: Error) => one.message).join(', ');
  return error.message;
}
