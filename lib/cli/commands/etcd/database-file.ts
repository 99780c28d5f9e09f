import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DatabaseFile } from '../../../etcd';
import { UnavailableError, reasonOf, type Io } from '../../io/io';

/** Runs `work` with an open database file and closes it afterwards. Throws `UnavailableError`. */
export async function withEtcdFile<T>(
  file: string,
  isHashed: boolean,
  io: Pick<Io, 'cwd'>,
  work: (bytes: DatabaseFile) => Promise<T>,
): Promise<T> {
  const refuse = (error: unknown): never => {
    throw new UnavailableError(`${file} ${reasonOf(error)}`);
  };
  const open = (): number => {
    try {
      return openSync(resolve(io.cwd, file), 'r');
    } catch (error) {
      return refuse(error);
    }
  };
  const descriptor = open();
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new UnavailableError(`${file} is not a file`);
    return await work(bytesOf(descriptor, status.size, isHashed, refuse));
  } finally {
    closeSync(descriptor);
  }
}

function bytesOf(descriptor: number, size: number, isHashed: boolean, refuse: (error: unknown) => never): DatabaseFile {
  return {
    size,
    read: (into, at) => {
      try {
        return readSync(descriptor, into, 0, into.length, at);
      } catch (error) {
        return refuse(error);
      }
    },
    readAhead: (into, at) =>
      new Promise<number>((done, fail) => {
        read(descriptor, into, 0, into.length, at, (error, count) => (error ? fail(error) : done(count)));
      }).catch(refuse),
    ...(isHashed && { sha256: () => createHash('sha256') }),
  };
}
