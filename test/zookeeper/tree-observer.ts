import { waitFor } from '../control-plane/wait-for';
import { PlainConnection, requests } from './plain-connection';

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

/** Looks at a folder of ZooKeeper without a pause, by a client that shares nothing with the one under test. */
export class TreeObserver {
  #connection: PlainConnection | undefined;
  readonly #port: number;
  #isStopped = false;
  #samples: Sample[] = [];
  readonly #done: Promise<void>;

  constructor(
    server: string,
    private readonly folder: string,
  ) {
    this.#port = Number(server.split(':')[1]);
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
    this.#connection?.close();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#samples.push({ names: await this.#look() });
      await new Promise((resolve) => setTimeout(resolve, pace));
    }
  }

  async #look(): Promise<readonly string[] | undefined> {
    try {
      const { code, body } = await (await this.#connected()).ask(requests.getChildren, this.folder);
      return code === noNode ? [] : code === 0 ? namesIn(body) : undefined;
    } catch {
      this.#connection?.close();
      this.#connection = undefined;
      return undefined;
    }
  }

  async #connected(): Promise<PlainConnection> {
    return (this.#connection ??= await PlainConnection.open(this.#port, patience));
  }

  async #read(name: string): Promise<Member> {
    const connection = await PlainConnection.open(this.#port, patience);
    const { code, body } = await connection.ask(requests.getData, `${this.folder}/${name}`);
    connection.close();
    if (code !== 0) throw new Error(`ZooKeeper answered ${code} for ${name}`);
    const length = Math.max(0, body.readInt32BE());
    // Four long and three short numbers of the Stat stand before the owner.
    const owner = body.readBigInt64BE(4 + length + 4 * 8 + 3 * 4);
    return { name, owner, data: JSON.parse(body.subarray(4, 4 + length).toString()) as unknown };
  }
}

const noNode = -101;

function namesIn(body: Buffer): readonly string[] {
  let at = 4;
  return Array.from({ length: body.readInt32BE() }, () => {
    const length = body.readInt32BE(at);
    at += 4 + length;
    return body.subarray(at - length, at).toString();
  });
}
