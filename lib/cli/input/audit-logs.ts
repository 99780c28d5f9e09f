import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type AuditEventReceiver, AuditLines, gunzipStream } from '../../operations';
import { UnavailableError, reasonOf, type Io } from '../io/io';

/** Bytes per read. */
const chunkSize = 1024 * 1024;

/** Reads audit logs one after the other: files, the logs in folders in the order of their rotation, and standard input. */
export async function readAuditLogs(logs: readonly string[], receiver: AuditEventReceiver, io: Io): Promise<void> {
  for (const file of logs.flatMap((log) => filesOf(log, io))) await readAuditLog(file, receiver, io);
}

/** Reads an audit log, or standard input; returns its uncompressed size in bytes. */
export async function readAuditLog(
  file: string,
  receiver: AuditEventReceiver,
  io: Io,
  onChunk: () => void = () => undefined,
): Promise<number> {
  const lines = new AuditLines(receiver);
  let bytes = 0;
  try {
    for await (const chunk of gunzipStream(open(file, io) as AsyncIterable<Buffer>)) {
      bytes += chunk.length;
      lines.write(chunk);
      onChunk();
      await io.yieldToEventLoop();
    }
  } catch (error) {
    throw new UnavailableError(`${inputName(file)} ${reasonOf(error)}`);
  }
  lines.end();
  return bytes;
}

/** Returns what a log is called in messages. */
export const inputName = (file: string): string => (file === '-' ? 'standard input' : file);

/** Standard input is file descriptor 0 and may never end. */
const open = (file: string, io: Io) =>
  file === '-'
    ? createReadStream('', { fd: 0 })
    : createReadStream(resolve(io.cwd, file), { highWaterMark: chunkSize });

/** Returns the logs that an argument names; names of rotated files contain their time, so that their order is that of their names. */
function filesOf(log: string, io: Io): readonly string[] {
  if (log === '-') return ['-'];
  const path = resolve(io.cwd, log);
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => /\.log(\.gz)?$/.test(name));
    return names.sort().map((name) => join(path, name));
  } catch (error) {
    throw new UnavailableError(`${log} ${reasonOf(error)}`);
  }
}
