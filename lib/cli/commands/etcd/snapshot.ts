import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { bytesText } from '../../../api';
import { type EtcdEndpoint, etcdGate, EtcdRequestError, snapshotSource, streamSnapshot } from '../../../operations';
import { UsageError } from '../../command/usage-error';
import { exitCodes, type ExitCode } from '../../command/exit-codes';
import { UnavailableError, reasonOf, type Io } from '../../io/io';
import { createFolder } from '../../output/whole-file';
import { etcdCluster, withUnavailableError } from './connection';
import { type EtcdConnectionOptions } from './etcd-options';
import { etcdPolicy } from './etcd-policy';

/** `pinion etcd snapshot`: atomically writes the database of a member to a file. */
export async function writeSnapshot(
  file: string,
  options: EtcdConnectionOptions & { readonly member?: string },
  io: Io,
): Promise<ExitCode> {
  const policy = etcdPolicy(options);
  const cluster = etcdCluster(options, io);
  const observed = await withUnavailableError(() => cluster.observe());
  const { member } = options;
  const source =
    member === undefined ? snapshotSource(observed, policy) : observed.members.find(({ name }) => name === member);
  if (member !== undefined && !source) throw new UsageError(`--member: no member ${member}`);
  if (!source || source.unhealthyReason !== undefined) {
    const reason = source?.unhealthyReason ?? etcdGate(observed, policy)?.reason ?? 'no member responds';
    io.writeError(`halted: ${reason}; recover a member, then run it again\n`);
    return exitCodes.incomplete;
  }
  const bytes = await save(file, cluster.endpointOf(source.id), io);
  await io.write(`${file}: ${bytesText(bytes)} of member ${source.name}, checksum verified\n`);
  return exitCodes.success;
}

/** Writes to a file beside it, which takes its name once the sum is right. */
async function save(file: string, endpoint: EtcdEndpoint, io: Io): Promise<number> {
  const path = resolve(io.cwd, file);
  const temporary = `${path}.part`;
  const remove = (): void => rmSync(temporary, { force: true });
  createFolder(dirname(path), dirname(file));
  const forget = io.onStop(remove);
  try {
    // Secrets are in it: for the owner alone.
    const descriptor = openSync(temporary, 'w', 0o600);
    try {
      const bytes = await streamSnapshot(endpoint, (piece) => writeAll(descriptor, piece), progressOf(file, io));
      fsyncSync(descriptor);
      renameSync(temporary, path);
      return bytes;
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    remove();
    throw new UnavailableError(error instanceof EtcdRequestError ? error.message : `${file}: ${reasonOf(error)}`);
  } finally {
    if (io.terminal.err) io.writeError('\r\u001b[K');
    forget();
  }
}

function writeAll(descriptor: number, piece: Uint8Array): void {
  for (let at = 0; at < piece.length;) at += writeSync(descriptor, piece, at);
}

/** Milliseconds between two changes of the line. */
const pace = 250;

function progressOf(file: string, io: Io): (done: number, total: number) => void {
  let next = io.now() + pace;
  return (done, total) => {
    if (!io.terminal.err || io.now() < next) return;
    next = io.now() + pace;
    io.writeError(`\r\u001b[K${file}: ${bytesText(done)} of ${bytesText(total)}`);
  };
}
