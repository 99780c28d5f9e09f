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
  await io.write(`${file}: ${bytesText(bytes)} from member ${source.name}, checksum verified\n`);
  return exitCodes.success;
}

/** Writes to a temporary file, and renames it once the checksum is verified. */
async function save(file: string, endpoint: EtcdEndpoint, io: Io): Promise<number> {
  const path = resolve(io.cwd, file);
  const temporary = `${path}.part`;
  const remove = (): void => rmSync(temporary, { force: true });
  createFolder(dirname(path), dirname(file));
  const removeStopHandler = io.onStop(remove);
  try {
    // The database contains Secrets, so only the owner may read it.
    const descriptor = openSync(temporary, 'w', 0o600);
    try {
      const bytes = await streamSnapshot(endpoint, (chunk) => writeAll(descriptor, chunk), progressOf(file, io));
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
    removeStopHandler();
  }
}

function writeAll(descriptor: number, chunk: Uint8Array): void {
  for (let offset = 0; offset < chunk.length;) offset += writeSync(descriptor, chunk, offset);
}

/** Milliseconds between two updates of the line. */
const updateInterval = 250;

function progressOf(file: string, io: Io): (done: number, total: number) => void {
  let next = io.now() + updateInterval;
  return (done, total) => {
    if (!io.terminal.err || io.now() < next) return;
    next = io.now() + updateInterval;
    io.writeError(`\r\u001b[K${file}: ${bytesText(done)} of ${bytesText(total)}`);
  };
}
