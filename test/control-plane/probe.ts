import { readFileSync } from 'node:fs';
import { type IncomingMessage, get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';

/** Milliseconds after which a server that is silent counts as one that does not answer. */
const patience = 2_000;

/** True where a server answers 200. Rejects where it cannot be reached. */
export function probe(url: string, authorityFile?: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const options = { agent: false as const, timeout: patience };
    const request = authorityFile
      ? httpsGet(url, { ...options, ca: readFileSync(authorityFile) }, answered)
      : httpGet(url, options, answered);
    function answered(response: IncomingMessage): void {
      response.resume();
      resolve(response.statusCode === 200);
    }
    request.once('timeout', () => request.destroy(new Error(`${url} is silent`)));
    request.once('error', reject);
  });
}
