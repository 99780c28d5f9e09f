import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';

/** A request to an external server, and the limits of its response. */
export interface ExternalRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: URL;
  /** Name of the server in messages: its URL may hold a token and is never shown. */
  readonly server: string;
  readonly body?: string;
  readonly contentType?: string;
  /** Bearer token. @default - none */
  readonly token?: string;
  /** Timeout in milliseconds, including the response. */
  readonly timeout: number;
  /** Maximum bytes of a response. */
  readonly maxBytes: number;
}

/** Thrown if the server is unreachable or too slow, rejects the request, or sends an oversized response. The message does not contain its URL. */
export class ExternalRequestError extends Error {
  override readonly name = 'ExternalRequestError' as const;
}

/** Sends a request and returns the text of a 2xx response. Redirects are not followed: they could leak a token. Throws an `ExternalRequestError`. */
export function fetchText(call: ExternalRequest): Promise<string> {
  const { method, url, server, body, contentType = 'application/json', token, timeout, maxBytes } = call;
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      clearTimeout(timer);
      reject(new ExternalRequestError(`${server} ${reason}`));
      outgoing.destroy();
    };
    const send = url.protocol === 'https:' ? secureRequest : plainRequest;
    const headers = {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const outgoing = send(url, { method, headers, agent: false }, (response) => {
      const { statusCode = 0 } = response;
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) fail(`responded with more than ${maxBytes} bytes`);
        else chunks.push(chunk);
      });
      response.on('error', () => fail('closed the connection during its response'));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (statusCode < 200 || statusCode > 299) return fail(`responded with status ${statusCode}`);
        clearTimeout(timer);
        resolve(text);
      });
    });
    const timer = setTimeout(() => fail(`did not respond within ${timeout} ms`), timeout);
    // Only the code: an error message may contain parts of the URL.
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      fail(`cannot be reached (${error.code ?? 'unknown reason'})`),
    );
    outgoing.end(body);
  });
}
