import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type EtcdAddress, EtcdCluster, EtcdRequestError, type EtcdTls } from '../../../operations';
import { UsageError } from '../../command/arguments';
import { UnavailableError, reasonOf, type Io } from '../../io/io';
import { type EtcdArguments } from './etcd-options';

/** The etcd that a command line and its environment name, by the variables of etcd's own command line. */
export function etcdCluster(given: EtcdArguments, io: Io): EtcdCluster {
  return new EtcdCluster(addressOf(given, io));
}

/** Does something with an etcd; where no member answers, it is `Inaccessible`. */
export async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EtcdRequestError) throw new UnavailableError(error.message);
    throw error;
  }
}

function addressOf({ values }: EtcdArguments, io: Io): EtcdAddress {
  const environment = io.system?.environment ?? {};
  const tls: EtcdTls = {
    ...fileOf('ca', values.cacert ?? environment['ETCDCTL_CACERT'], io),
    ...fileOf('cert', values.cert ?? environment['ETCDCTL_CERT'], io),
    ...fileOf('key', values.key ?? environment['ETCDCTL_KEY'], io),
  };
  if ((tls.cert === undefined) !== (tls.key === undefined)) throw new UsageError('--cert and --key go together');
  const asked = values.endpoints ?? environment['ETCDCTL_ENDPOINTS'] ?? '127.0.0.1:2379';
  const scheme = Object.keys(tls).length > 0 ? 'https' : 'http';
  const endpoints = asked
    .split(',')
    .map((endpoint) => endpoint.trim())
    .filter((endpoint) => endpoint !== '')
    .map((endpoint) => urlOf(endpoint, scheme));
  if (endpoints.length === 0) throw new UsageError('--endpoints needs at least one address');
  return { endpoints, tls };
}

function urlOf(endpoint: string, scheme: string): string {
  const text = endpoint.includes('://') ? endpoint : `${scheme}://${endpoint}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`--endpoints takes addresses such as https://10.0.0.1:2379, not ${endpoint}`);
  return url.origin;
}

function fileOf(name: keyof EtcdTls, file: string | undefined, io: Io): EtcdTls {
  if (file === undefined || file === '') return {};
  try {
    return { [name]: readFileSync(resolve(io.cwd, file), 'utf8') };
  } catch (error) {
    throw new UnavailableError(`${file} ${reasonOf(error)}`);
  }
}
