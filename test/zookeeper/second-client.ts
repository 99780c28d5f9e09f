import { createClient, type Client, type Options } from 'node-zookeeper-client';

/** Connects another client, runs a function with it and closes its session. */
export async function withClient(
  ensemble: string,
  action: (client: Client, done: (error: Error | null) => void) => void,
  options: Options = {},
): Promise<void> {
  const client = createClient(ensemble, { sessionTimeout: 10_000, ...options });
  const failure = await new Promise<Error | null>((resolve) => {
    client.once('connected', () => action(client, resolve));
    client.connect();
  });
  await new Promise<void>((resolve) => {
    client.once('disconnected', resolve);
    client.close();
  });
  if (failure) throw failure;
}

/** Closes the session of another client, as ZooKeeper does when it expires. */
export function endSession(ensemble: string, id: bigint): Promise<void> {
  const sessionId = Buffer.alloc(8);
  sessionId.writeBigInt64BE(id);
  return withClient(ensemble, (_, done) => done(null), { sessionId, sessionPassword: passwordOf(id) });
}

const mask = (1n << 48n) - 1n;

/**
 * ZooKeeper derives the password of a session from its id, by Java's Random with this seed
 * (ZooKeeperServer.generatePasswd).
 */
function passwordOf(id: bigint): Buffer {
  let seed = (id ^ 0xb3415c00n ^ 0x5deece66dn) & mask;
  const password = Buffer.alloc(16);
  for (let offset = 0; offset < 16; offset += 4) {
    seed = (seed * 0x5deece66dn + 0xbn) & mask;
    password.writeUInt32LE(Number((seed >> 16n) & 0xffffffffn), offset);
  }
  return password;
}
