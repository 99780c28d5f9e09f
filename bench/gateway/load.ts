import { Agent, request } from 'node:https';

/** A server under load: its address, and the credential for it. */
export interface Target {
  readonly url: string;
  readonly authority: string;
  readonly token: string;
}

/** Result of a load. */
export interface LoadResult {
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly bytes: number;
}

/** Sends a number of reads, `concurrency` at a time, over connections that stay open. Throws for one that fails. */
export async function load(target: Target, path: string, count: number, concurrency: number): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency, ca: target.authority });
  const times: number[] = [];
  let bytes = 0;
  let left = count;
  const startedAt = performance.now();
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const sentAt = performance.now();
      bytes += await read(target, path, agent);
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
  return { rate: count / seconds, p50: at(0.5), p99: at(0.99), bytes };
}

/** Reads and discards one answer; returns its size. */
function read({ url, token }: Target, path: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.once('error', reject);
      response.once('end', () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path}: status ${response.statusCode}`)),
      );
    })
      .once('error', reject)
      .end();
  });
}
