import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type AuditEventReceiver, AuditLines, gunzipStream } from '../../../operations';
import { UnavailableError, reasonOf, type Io } from '../../io/io';

/** Bytes per read. */
const chunkSize = 1024 * 1024;

/** Reads audit logs one after the other: files, the logs in folders in the order of their rotation, and standard input. */
export async function readAuditLogs(logs: readonly string[], receiver: AuditEventReceiver, io: Io): Promise<void> {
  for (const file of logs.flatMap((log) => filesOf(log, io))) {
    const lines = new AuditLines(receiver);
    try {
      for await (const chunk of gunzipStream(open(file) as AsyncIterable<Buffer>)) {
        lines.write(chunk);
        await io.yieldToEventLoop();
      }
    } catch (error) {
      throw new UnavailableError(`${file === '-' ? 'standard input' : file} ${reasonOf(error)}`);
    }
    lines.end();
  }
}

const open = (file: string) =>
  file === '-' ? createReadStream('', { fd: 0 }) : createReadStream(file, { highWaterMark: chunkSize });

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
