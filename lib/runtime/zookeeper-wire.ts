import { type RecordReader, RecordWriter } from './jute';
import { ZookeeperError } from './zookeeper-error';

/** Facts about a node that are used here. */
export interface NodeFacts {
  /** How often its data was replaced. */
  readonly version: number;
  /** Session that it ends with; 0 for a node that stays. */
  readonly owner: bigint;
  /** How many nodes lie in it. */
  readonly children: number;
}

/** Who may change a node: everybody, or who presents the same identity; everybody may read. */
export type Access = 'everybody' | 'authenticated';

/** One change of a node. */
export type Change =
  | {
      readonly type: 'create';
      readonly path: string;
      readonly data: Buffer;
      readonly ephemeral: boolean;
      readonly access: Access;
    }
  | { readonly type: 'delete'; readonly path: string; readonly version: number }
  | { readonly type: 'setData'; readonly path: string; readonly data: Buffer; readonly version: number };

/** What opens or resumes a session. */
export interface SessionTicket {
  /** 0 asks for a new one. */
  readonly id: bigint;
  readonly password: Buffer;
  /** Milliseconds that are asked for; the server has the last word. */
  readonly timeout: number;
}

/** Numbers of request types. */
export const operations = { create: 1, delete: 2, exists: 3, setData: 5, ping: 11, multi: 14, auth: 100, close: -11 };
/** Numbers that stand in place of a request's own. */
export const reserved = { watch: -1, ping: -2, auth: -4 };

const allRights = 31;
const readRight = 1;

/**
 * The first frame of a connection. It names no last change that we have seen: what is done here looks again at every turn,
 * so a server that lags behind does no harm, while an ensemble restored from a backup would turn us away for ever.
 */
export const connectFrame = (ticket: SessionTicket): Buffer =>
  new RecordWriter().int(0).long(0n).int(ticket.timeout).long(ticket.id).bytes(ticket.password).flag(false).frame();

/** A frame of a request that carries nothing: a ping, or the end of a session. */
export const bareFrame = (xid: number, operation: number): Buffer => new RecordWriter().int(xid).int(operation).frame();

/** Presents an identity; the secret is sent as it is. */
export const authFrame = (scheme: string, secret: Buffer): Buffer =>
  new RecordWriter().int(reserved.auth).int(operations.auth).int(0).text(scheme).bytes(secret).frame();

/** Asks whether a node is there, and to be told once when that or its data changes. */
export const existsFrame = (xid: number, path: string): Buffer =>
  new RecordWriter().int(xid).int(operations.exists).text(path).flag(true).frame();

/** Carries out all changes or none, seen by every reader as one. */
export function changeFrame(xid: number, changes: readonly Change[]): Buffer {
  const record = new RecordWriter().int(xid).int(operations.multi);
  for (const change of changes) writeChange(record.int(operations[change.type]).flag(false).int(-1), change);
  return record.int(-1).flag(true).int(-1).frame();
}

function writeChange(record: RecordWriter, change: Change): void {
  record.text(change.path);
  switch (change.type) {
    case 'create': {
      record.bytes(change.data);
      if (change.access === 'everybody') record.int(1).int(allRights).text('world').text('anyone');
      else record.int(2).int(allRights).text('auth').text('').int(readRight).text('world').text('anyone');
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

/** Reads the facts of a node, and passes over the rest of its Stat. */
export function readFacts(reader: RecordReader): NodeFacts {
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

/** What stands for an operation that only failed because another one of the same request did. */
const failedWithAnother = -2;

/** Throws the first refusal in the answer to several changes. */
export function expectChanges(reader: RecordReader): void {
  for (;;) {
    const type = reader.int();
    const done = reader.flag();
    reader.int();
    if (done) return;
    if (type === -1) {
      const code = reader.int();
      if (code !== 0 && code !== failedWithAnother) throw new ZookeeperError(code);
    } else if (type === operations.create) reader.bytes();
    else if (type === operations.setData) readFacts(reader);
  }
}
