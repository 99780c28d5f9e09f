import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';

/** A request to a server of somebody else, and what its answer may be like. */
export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: URL;
  /** What the server is called in messages: its URL may hold a token, and is never shown. */
  readonly called: string;
  readonly body?: string;
  readonly contentType?: string;
  /** Bearer token. @default - none */
  readonly token?: string;
  /** Milliseconds until it is given up, answer included. */
  readonly timeout: number;
  /** Bytes of an answer that are read at most. */
  readonly most: number;
}

/** A server that cannot be reached, is too slow or too talkative, or refuses. The message holds nothing of its URL. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError' as const;
}

/** Sends a request and gives the text of a 2xx answer. No redirect is followed: it could lead a token elsewhere. Throws an `ExchangeError`. */
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
        if (size > most) fail(`answered more than ${most} bytes`);
        else pieces.push(piece);
      });
      answer.on('error', () => fail('broke off its answer'));
      answer.on('end', () => {
        const text = Buffer.concat(pieces).toString('utf8');
        if (statusCode < 200 || statusCode > 299) return fail(`answered with status ${statusCode}`);
        clearTimeout(timer);
        fulfil(text);
      });
    });
    const timer = setTimeout(() => fail(`did not answer within ${timeout} ms`), timeout);
    // Only the code: the message of an error may name what the URL holds.
    sent.on('error', (error: NodeJS.ErrnoException) => fail(`cannot be reached (${error.code ?? 'unknown reason'})`));
    sent.end(body);
  });
}
