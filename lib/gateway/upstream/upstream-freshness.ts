import { type IncomingMessage } from 'node:http';
import * as z from 'zod';
import { type Clock } from '../../kube';
import { LineSplitter } from '../../process';
import { revisionOf } from '../cache/cached-object';
import { type FreshnessSource } from '../reads/freshness-proof';
import { responseOf, type Upstream } from './upstream';

/** Milliseconds within which a question must be answered. */
const timeout = 10_000;
/** Seconds of the watch: the API server sends a bookmark two seconds before the end of one. */
const watchSeconds = 3;

const metadataOnly = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const listSchema = z.object({ metadata: z.object({ resourceVersion: z.string() }) });
const eventSchema = z.object({
  type: z.string(),
  object: z.object({ metadata: listSchema.shape.metadata.optional() }),
});

/** Asks the API server how recent a cache is. */
export class UpstreamFreshness implements FreshnessSource {
  constructor(
    private readonly upstream: Upstream,
    private readonly clock: Clock,
    private readonly userAgent: string,
  ) {}

  async currentVersion(path: string): Promise<number> {
    const body = await this.#exchange(`${path}?limit=1`, metadataOnly, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString('utf8');
    });
    return revisionOf(listSchema.parse(JSON.parse(body)).metadata.resourceVersion);
  }

  lastChangeBefore(path: string, from: number, until: number): Promise<number | undefined> {
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${from}&timeoutSeconds=${watchSeconds}`;
    return this.#exchange(`${path}?${query}`, 'application/json', (response) => lastChange(response, until));
  }

  async #exchange<T>(path: string, accept: string, read: (response: IncomingMessage) => Promise<T>): Promise<T> {
    const request = await this.upstream.create({
      method: 'GET',
      path,
      headers: { accept, 'user-agent': this.userAgent },
    });
    request.on('error', () => undefined);
    const stopTimer = this.clock.after(timeout, () =>
      request.destroy(new Error(`${path}: no answer within ${timeout} ms`)),
    );
    try {
      const response = await responseOf(request);
      if (response.statusCode !== 200) throw new Error(`${path}: status ${response.statusCode}`);
      return await read(response);
    } finally {
      stopTimer();
      request.destroy();
    }
  }
}

/** Reads a watch until a bookmark of a version; returns the version of the last event before. */
function lastChange(response: IncomingMessage, until: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    let last: number | undefined;
    const lines = new LineSplitter({
      onLine: (line) => {
        if (line.length === 0) return;
        const { type, object } = eventSchema.parse(JSON.parse(Buffer.from(line).toString('utf8')));
        if (type === 'ERROR' || !object.metadata)
          throw new Error('the watch that proves freshness ended with an error');
        const version = revisionOf(object.metadata.resourceVersion);
        // An event beyond the version proves it too: those before it have been sent.
        if (type !== 'BOOKMARK' && version <= until) last = version;
        if (version >= until) resolve(last);
      },
    });
    response.on('data', (chunk: Buffer) => {
      try {
        lines.push(chunk);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    response.once('error', reject);
    response.once('end', () => reject(new Error('the watch that proves freshness ended before its bookmark')));
  });
}
