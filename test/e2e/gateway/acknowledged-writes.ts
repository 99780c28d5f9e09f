import { type Client } from '../../control-plane/client';

/** A write that the API server has acknowledged. */
interface Acknowledged {
  readonly version: bigint;
  /** Time of the acknowledgement, in milliseconds of `performance.now`. */
  readonly at: number;
}

/** Writes to a few pods without a pause, and remembers what was acknowledged when. Writes that fail are sent again. */
export class AcknowledgedWrites {
  /** In order; the versions rise with the times. */
  readonly #writes: Acknowledged[] = [];
  #isStopped = false;
  #index = 0;
  #running: Promise<void> | undefined;

  constructor(
    private readonly client: Client,
    private readonly namespace: string,
    private readonly pods: readonly string[],
  ) {}

  get count(): number {
    return this.#writes.length;
  }

  start(): void {
    this.#isStopped = false;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** Does some work between two writes. */
  async pauseFor(work: () => Promise<void>): Promise<void> {
    await this.stop();
    await work();
    this.start();
  }

  /** Returns the newest version that was acknowledged at a time; 0 if there was none. */
  versionAt(time: number): bigint {
    let [low, high] = [0, this.#writes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#writes[middle]?.at ?? Infinity) <= time) low = middle + 1;
      else high = middle;
    }
    return this.#writes[low - 1]?.version ?? 0n;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const index = this.#index++;
      const path = `/api/v1/namespaces/${this.namespace}/pods/${this.pods[index % this.pods.length]}`;
      const body = { metadata: { labels: { written: `${index}` } } };
      const answer = await this.client
        .request('PATCH', path, body, { contentType: 'application/merge-patch+json' })
        .catch(() => undefined);
      if (answer?.status === 200) this.#add(answer.body);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  #add(body: unknown): void {
    const { metadata } = body as { readonly metadata: { readonly resourceVersion: string } };
    this.#writes.push({ version: BigInt(metadata.resourceVersion), at: performance.now() });
  }
}
