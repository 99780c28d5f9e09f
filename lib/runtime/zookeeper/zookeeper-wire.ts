import { type RecordReader, RecordWriter } from './jute';
import { ZookeeperError } from './zookeeper-error';

/** Fields of a node's Stat that the registrar uses. */
export interface NodeStat {
  /** Data version. */
  readonly version: number;
  /** Session of an ephemeral node; 0 for a persistent one. */
  readonly owner: bigint;
  /** Number of children. */
  readonly children: number;
}

/** Write access to a node: any client, or clients with the same identity; any client may read. */
export type NodeAccess = 'open' | 'authenticated';

/** Change of a node. */
export type NodeChange =
  | {
      readonly type: 'create';
      readonly path: string;
      readonly data: Buffer;
      readonly ephemeral: boolean;
      readonly access: NodeAccess;
    }
  | { readonly type: 'delete'; readonly path: string; readonly version: number }
  | { readonly type: 'setData'; readonly path: string; readonly data: Buffer; readonly version: number };

/** Session to open or resume. */
export interface SessionTicket {
  /** Session ID; 0 requests a new session. */
  readonly id: bigint;
  readonly password: Buffer;
  /** Requested session timeout in milliseconds; the server may grant another one. */
  readonly timeout: number;
}

/** Operation codes. */
export const opCodes = { create: 1, delete: 2, exists: 3, setData: 5, ping: 11, multi: 14, auth: 100, close: -11 };
/** Reserved request IDs. */
export const reserved = { watch: -1, ping: -2, auth: -4 };

const allPermissions = 31;
const readPermission = 1;

/**
 * Returns the first frame of a connection. It names no last seen transaction: the registrar reads again before each change,
 * so a lagging server does no harm, while an ensemble restored from a backup would reject the client forever.
 */
export const connectFrame = (ticket: SessionTicket): Buffer =>
  new RecordWriter().int(0).long(0n).int(ticket.timeout).long(ticket.id).bytes(ticket.password).flag(false).frame();

/** Returns the frame of a request without a body: a ping or the end of a session. */
export const bareFrame = (xid: number, operation: number): Buffer => new RecordWriter().int(xid).int(operation).frame();

/** Returns the frame that authenticates; the secret is sent in plain text. */
export const authFrame = (scheme: string, secret: Buffer): Buffer =>
  new RecordWriter().int(reserved.auth).int(opCodes.auth).int(0).text(scheme).bytes(secret).frame();

/** Returns the frame that reads a node's Stat and sets a watch on it. */
export const existsFrame = (xid: number, path: string): Buffer =>
  new RecordWriter().int(xid).int(opCodes.exists).text(path).flag(true).frame();

/** Returns the frame of a transaction: all changes or none, atomic for every reader. */
export function changeFrame(xid: number, changes: readonly NodeChange[]): Buffer {
  const record = new RecordWriter().int(xid).int(opCodes.multi);
  for (const change of changes) writeChange(record.int(opCodes[change.type]).flag(false).int(-1), change);
  return record.int(-1).flag(true).int(-1).frame();
}

function writeChange(record: RecordWriter, change: NodeChange): void {
  record.text(change.path);
  switch (change.type) {
    case 'create': {
      record.bytes(change.data);
      if (change.access === 'open') record.int(1).int(allPermissions).text('world').text('anyone');
      else record.int(2).int(allPermissions).text('auth').text('').int(readPermission).text('world').text('anyone');
      record.int(change.ephemeral ? 1 : 0);
      return;
    }
    case 'delete':
      record.int(change.version);
      return;
    case 'setData':
      record.bytes(change.data).int(change.version);
  }
}

/** Reads a node's Stat. */
export function readStat(reader: RecordReader): NodeStat {
  for (let index = 0; index < 4; index += 1) reader.long();
  const version = reader.int();
  reader.int();
  reader.int();
  const owner = reader.long();
  reader.int();
  const children = reader.int();
  reader.long();
  return { version, owner, children };
}

/** Code of an operation that failed because another one of its transaction did. */
const transactionFailed = -2;

/** Reads the response to a transaction; throws its first error. */
export function expectChanges(reader: RecordReader): void {
  for (;;) {
    const type = reader.int();
    const done = reader.flag();
    reader.int();
    if (done) return;
    if (type === -1) {
      const code = reader.int();
      if (code !== 0 && code !== transactionFailed) throw new ZookeeperError(code);
    } else if (type === opCodes.create) reader.bytes();
    else if (type === opCodes.setData) readStat(reader);
  }
}
