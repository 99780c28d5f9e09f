import { createClient, Exception, type Client, type Stat } from 'node-zookeeper-client';
import { waitFor } from '../control-plane/wait-for';

/** What one look at the folder saw; undefined where ZooKeeper did not answer. */
export interface Sample {
  readonly names: readonly string[] | undefined;
}

/** A member with what stands in it. */
export interface Member {
  readonly name: string;
  readonly data: unknown;
  /** Session that it ends with. */
  readonly owner: bigint;
}

/** Milliseconds between two looks. */
const pace = 3;
/** Milliseconds that one look may take. */
const patience = 1_000;

/** Looks at a folder of ZooKeeper without a pause, by another client library than the one under test. */
export class TreeObserver {
  #client: Client;
  #isStopped = false;
  #samples: Sample[] = [];
  readonly #done: Promise<void>;

  constructor(
    private readonly ensemble: string,
    private readonly folder: string,
  ) {
    this.#client = connected(ensemble);
    this.#done = this.#run();
  }

  /** All that was seen while something went on. */
  async during(action: () => Promise<unknown>): Promise<readonly Sample[]> {
    const begun = this.#samples.length;
    await action();
    return this.#samples.slice(begun);
  }

  /** Waits until the folder has so many members, and reads them. */
  async members(count: number): Promise<readonly Member[]> {
    await waitFor(`${count} members of ${this.folder}`, async () => {
      const names = this.#samples.at(-1)?.names;
      return names?.length === count;
    });
    const names = this.#samples.at(-1)?.names ?? [];
    return Promise.all(names.map((name) => this.#read(name)));
  }

  /** Waits for so many more looks that ZooKeeper answered. */
  async looks(count: number): Promise<void> {
    const begun = this.#samples.length;
    await waitFor(`${count} looks`, async () => {
      return this.#samples.slice(begun).filter(({ names }) => names).length >= count;
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
    this.#client.close();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#samples.push({ names: await this.#look() });
      await new Promise((resolve) => setTimeout(resolve, pace));
    }
  }

  #look(): Promise<readonly string[] | undefined> {
    return new Promise((resolve) => {
      // This client does not notice a server that hangs, and at times never comes back from one that was killed.
      const giveUp = setTimeout(() => {
        this.#renew();
        resolve(undefined);
      }, patience);
      this.#client.getChildren(this.folder, (error, names) => {
        clearTimeout(giveUp);
        const code = (error as { code?: number } | null)?.code;
        if (code === sessionExpired) this.#renew();
        if (!error) resolve(names);
        else resolve(code === Exception.NO_NODE ? [] : undefined);
      });
    });
  }

  #renew(): void {
    this.#client.close();
    this.#client = connected(this.ensemble);
  }

  #read(name: string): Promise<Member> {
    return new Promise((resolve, reject) => {
      this.#client.getData(`${this.folder}/${name}`, (error, data: Buffer, stat: Stat) => {
        if (error) reject(error);
        else
          resolve({
            name,
            data: JSON.parse(data.toString()) as unknown,
            owner: stat.ephemeralOwner.readBigInt64BE(),
          });
      });
    });
  }
}

const sessionExpired = -112;

function connected(ensemble: string): Client {
  const client = createClient(ensemble, { sessionTimeout: 10_000, spinDelay: 50 });
  client.connect();
  return client;
}
