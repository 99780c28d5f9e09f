import { request } from 'node:https';

/** An answer to a list of pods. */
interface Answered {
  readonly version: bigint;
  /** Time at which the request was sent, in milliseconds of `performance.now`. */
  readonly sentAt: number;
  /** Milliseconds that the answer may be older than the request; undefined if it promises nothing. */
  readonly age: number | undefined;
  readonly isCached: boolean;
}

/** Milliseconds by which the age in a header is rounded. */
const rounding = 1;

/**
 * Lists pods in a loop, each time over a new connection and so at the next replica: from the cache, without a version, and
 * not older than the newest version that it has seen.
 */
export class LoopingReader {
  /** Answers that were older than a version for which the reader asked. */
  readonly wentBack: string[] = [];
  readonly #answered: Answered[] = [];
  #newest = 0n;
  #isStopped = false;
  #running: Promise<void> | undefined;

  constructor(
    private readonly port: number,
    private readonly authority: string,
    private readonly token: string,
  ) {}

  /** Number of successful reads. */
  get answers(): number {
    return this.#answered.length;
  }

  /** Number of those that a cache answered. */
  get cachedAnswers(): number {
    return this.#answered.filter(({ isCached }) => isCached).length;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** Lists the answers that lack a write which was acknowledged before the time that they promise. */
  tooOld(versionAt: (time: number) => bigint): readonly string[] {
    return this.#answered.flatMap(({ version, sentAt, age }) => {
      if (age === undefined) return [];
      const promised = versionAt(sentAt - age - rounding);
      return version >= promised
        ? []
        : [`version ${version} with age ${age} ms, although ${promised} was written before`];
    });
  }

  async #run(): Promise<void> {
    for (let index = 0; !this.#isStopped; index++) {
      const asked = this.#newest;
      const query =
        ['?resourceVersion=0', '', `?resourceVersion=${asked}&resourceVersionMatch=NotOlderThan`][index % 3] ?? '';
      const answered = await this.#read(`/api/v1/pods${query}`).catch(() => undefined);
      if (answered) {
        this.#answered.push(answered);
        if (index % 3 === 2 && answered.version < asked) this.wentBack.push(`${answered.version} after ${asked}`);
        if (answered.version > asked) this.#newest = answered.version;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Returns an answer, or undefined for one that is no success, as during an outage. */
  #read(path: string): Promise<Answered | undefined> {
    const sentAt = performance.now();
    const { port, authority: ca, token } = this;
    const options = { host: '127.0.0.1', port, path, ca, agent: false };
    const headers = { authorization: `Bearer ${token}`, 'user-agent': 'looping-reader' };
    return new Promise((resolve, reject) => {
      const sent = request({ ...options, headers, timeout: 10_000 }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.once('error', reject);
        response.once('end', () => {
          if (response.statusCode !== 200) return resolve(undefined);
          const { metadata } = JSON.parse(text) as { readonly metadata: { readonly resourceVersion: string } };
          const header = response.headers['pinion-cache-age'];
          const isCached = header !== undefined;
          // Only the age of a read without a version is proved; that of others is the time since the last event.
          const age = path.includes('resourceVersion') ? undefined : isCached ? Number(header) * 1000 : 0;
          resolve({ version: BigInt(metadata.resourceVersion), sentAt, age, isCached });
        });
      });
      sent.once('timeout', () => sent.destroy(new Error('no answer in 10 s')));
      sent.once('error', reject).end();
    });
  }
}
