import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type EtcdAddress, EtcdCluster, EtcdRequestError, type EtcdTls } from '../../../operations';
import { UsageError } from '../../command/usage-error';
import { UnavailableError, reasonOf, type Io } from '../../io/io';
import { type EtcdConnectionOptions } from './etcd-options';

/** Returns a client for the etcd cluster of the options. */
export function etcdCluster(options: EtcdConnectionOptions, io: Io): EtcdCluster {
  return new EtcdCluster(addressOf(options, io));
}

/** Runs `action`. Throws an `UnavailableError` if no member responds. */
export async function withUnavailableError<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof EtcdRequestError) throw new UnavailableError(error.message);
    throw error;
  }
}

function addressOf(options: EtcdConnectionOptions, io: Io): EtcdAddress {
  const tls: EtcdTls = {
    ...fileOf('ca', options.cacert, io),
    ...fileOf('cert', options.cert, io),
    ...fileOf('key', options.key, io),
  };
  if ((tls.cert === undefined) !== (tls.key === undefined))
    throw new UsageError('--cert and --key must be set together');
  const scheme = Object.keys(tls).length > 0 ? 'https' : 'http';
  const endpoints = (options.endpoints ?? ['127.0.0.1:2379']).map((endpoint) => urlOf(endpoint, scheme));
  return { endpoints, tls };
}

const urlOf = (endpoint: string, scheme: string): string =>
  new URL(endpoint.includes('://') ? endpoint : `${scheme}://${endpoint}`).origin;

function fileOf(name: keyof EtcdTls, file: string | undefined, io: Io): EtcdTls {
  if (file === undefined) return {};
  try {
    return { [name]: readFileSync(resolve(io.cwd, file), 'utf8') };
  } catch (error) {
    throw new UnavailableError(`${file} ${reasonOf(error)}`);
  }
}
