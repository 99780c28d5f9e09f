import { waitFor } from '../control-plane/wait-for';
import { PlainConnection, requests } from './plain-connection';

/** Result of one read of the folder; undefined if ZooKeeper did not respond. */
export interface Sample {
  readonly names: readonly string[] | undefined;
}

/** A member and its data. */
export interface Member {
  readonly name: string;
  readonly data: unknown;
  /** Session that owns it. */
  readonly owner: bigint;
}

/** Milliseconds between two reads. */
const readInterval = 3;
/** Timeout of a read in milliseconds. */
const readTimeout = 1_000;

/** Reads a folder of ZooKeeper continuously, with a client that shares no code with the one under test. */
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

  /** Returns all reads during an operation. */
  async during(action: () => Promise<unknown>): Promise<readonly Sample[]> {
    const firstSample = this.#samples.length;
    await action();
    return this.#samples.slice(firstSample);
  }

  /** Waits until the folder has the given number of members, and reads them. */
  members(count: number): Promise<readonly Member[]> {
    return waitFor(`${count} members of ${this.folder}`, async () => {
      const names = this.#samples.at(-1)?.names;
      if (names?.length !== count) return undefined;
      const members = await Promise.all(names.map((name) => this.#read(name)));
      // A member may be removed between the two reads.
      return members.every((member) => member !== undefined) ? members : undefined;
    });
  }

  /** Waits for the given number of further successful reads. */
  async waitForReads(count: number): Promise<void> {
    const firstSample = this.#samples.length;
    await waitFor(`${count} reads`, async () => {
      return this.#samples.slice(firstSample).filter(({ names }) => names).length >= count;
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
    this.#connection?.close();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#samples.push({ names: await this.#readNames() });
      await new Promise((resolve) => setTimeout(resolve, readInterval));
    }
  }

  async #readNames(): Promise<readonly string[] | undefined> {
    try {
      const { code, body } = await (await this.#connected()).request(requests.getChildren, this.folder);
      return code === noNode ? [] : code === 0 ? namesIn(body) : undefined;
    } catch {
      this.#connection?.close();
      this.#connection = undefined;
      return undefined;
    }
  }

  async #connected(): Promise<PlainConnection> {
    return (this.#connection ??= await PlainConnection.open(this.#port, readTimeout));
  }

  async #read(name: string): Promise<Member | undefined> {
    const connection = await PlainConnection.open(this.#port, readTimeout);
    const { code, body } = await connection.request(requests.getData, `${this.folder}/${name}`);
    connection.close();
    if (code === noNode) return undefined;
    if (code !== 0) throw new Error(`ZooKeeper responded with ${code} for ${name}`);
    const length = Math.max(0, body.readInt32BE());
    // Four long and three short numbers of the Stat precede the owner.
    const owner = body.readBigInt64BE(4 + length + 4 * 8 + 3 * 4);
    return { name, owner, data: JSON.parse(body.subarray(4, 4 + length).toString()) as unknown };
  }
}

const noNode = -101;

function namesIn(body: Buffer): readonly string[] {
  let offset = 4;
  return Array.from({ length: body.readInt32BE() }, () => {
    const length = body.readInt32BE(offset);
    offset += 4 + length;
    return body.subarray(offset - length, offset).toString();
  });
}
