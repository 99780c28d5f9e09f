import { readFileSync } from 'node:fs';
import { type IncomingMessage, get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';

/** Timeout of a probe in milliseconds. */
const timeoutMs = 2_000;

/** Returns whether a server responds with 200. Rejects where it is unreachable. */
export function probe(url: string, authorityFile?: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const options = { agent: false as const, timeout: timeoutMs };
    const request = authorityFile
      ? httpsGet(url, { ...options, ca: readFileSync(authorityFile) }, onResponse)
      : httpGet(url, options, onResponse);
    function onResponse(response: IncomingMessage): void {
      response.resume();
      resolve(response.statusCode === 200);
    }
    request.once('timeout', () => request.destroy(new Error(`${url} did not respond in time`)));
    request.once('error', reject);
  });
}
