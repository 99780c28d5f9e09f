import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DatabaseFile } from '../../../etcd';
import { UnavailableError, reasonOf, type Io } from '../../io/io';

/** Runs `action` with an open database file and closes it afterwards. Throws `UnavailableError`. */
export async function withEtcdFile<T>(
  file: string,
  isHashed: boolean,
  io: Pick<Io, 'cwd'>,
  action: (bytes: DatabaseFile) => Promise<T>,
): Promise<T> {
  const fail = (error: unknown): never => {
    throw new UnavailableError(`${file} ${reasonOf(error)}`);
  };
  const open = (): number => {
    try {
      return openSync(resolve(io.cwd, file), 'r');
    } catch (error) {
      return fail(error);
    }
  };
  const descriptor = open();
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new UnavailableError(`${file} is not a file`);
    return await action(bytesOf(descriptor, status.size, isHashed, fail));
  } finally {
    closeSync(descriptor);
  }
}

function bytesOf(descriptor: number, size: number, isHashed: boolean, fail: (error: unknown) => never): DatabaseFile {
  return {
    size,
    read: (buffer, position) => {
      try {
        return readSync(descriptor, buffer, 0, buffer.length, position);
      } catch (error) {
        return fail(error);
      }
    },
    readAhead: (buffer, position) =>
      new Promise<number>((resolvePromise, reject) => {
        read(descriptor, buffer, 0, buffer.length, position, (error, count) =>
          error ? reject(error) : resolvePromise(count),
        );
      }).catch(fail),
    ...(isHashed && { sha256: () => createHash('sha256') }),
  };
}
