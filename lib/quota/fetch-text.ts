import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';

/** A request to an external server, and limits of its response. */
export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: URL;
  /** Name of the server in messages: its URL may hold a token and is never shown. */
  readonly called: string;
  readonly body?: string;
  readonly contentType?: string;
  /** Bearer token. @default - none */
  readonly token?: string;
  /** Timeout in milliseconds, including the response. */
  readonly timeout: number;
  /** Maximum bytes of a response. */
  readonly most: number;
}

/** The server is unreachable, too slow, responds with too much, or rejects the request. The message does not contain its URL. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError' as const;
}

/** Sends a request and returns the text of a 2xx response. Redirects are not followed: they could leak a token. Throws an `ExchangeError`. */
export function fetchText(asked: Exchange): Promise<string> {
  const { method, url, called, body, contentType = 'application/json', token, timeout, most } = asked;
  return new Promise((fulfil, reject) => {
    const fail = (reason: string): void => {
      clearTimeout(timer);
      reject(new ExchangeError(`${called} ${reason}`));
      sent.destroy();
    };
    const send = url.protocol === 'https:' ? secureRequest : plainRequest;
    const headers = {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const sent = send(url, { method, headers, agent: false }, (answer) => {
      const { statusCode = 0 } = answer;
      const pieces: Buffer[] = [];
      let size = 0;
      answer.on('data', (piece: Buffer) => {
        size += piece.length;
        if (size > most) fail(`responded with more than ${most} bytes`);
        else pieces.push(piece);
      });
      answer.on('error', () => fail('closed the connection during its response'));
      answer.on('end', () => {
        const text = Buffer.concat(pieces).toString('utf8');
        if (statusCode < 200 || statusCode > 299) return fail(`responded with status ${statusCode}`);
        clearTimeout(timer);
        fulfil(text);
      });
    });
    const timer = setTimeout(() => fail(`did not respond within ${timeout} ms`), timeout);
    // Only the code: an error message may contain parts of the URL.
    sent.on('error', (error: NodeJS.ErrnoException) => fail(`cannot be reached (${error.code ?? 'unknown reason'})`));
    sent.end(body);
  });
}
