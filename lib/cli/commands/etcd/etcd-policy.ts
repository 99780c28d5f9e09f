import { parseDuration } from '../../../api';
import { type EtcdPolicy, defaultEtcdPolicy } from '../../../operations';
import { UsageError } from '../../command/arguments';
import { type EtcdArguments, quotaOption } from './etcd-options';

/** What may be done to an etcd by a command line. */
export function etcdPolicy(given: EtcdArguments): EtcdPolicy {
  const { revision, timeout } = given.values;
  return {
    ...defaultEtcdPolicy,
    ...quotaOption(given),
    ...(revision !== undefined && { revision: revisionOf(revision) }),
    ...(timeout !== undefined && { patience: timeoutOf(timeout) }),
    corrupt: given.flags.corrupt === true,
  };
}

function revisionOf(text: string): number {
  const revision = Number(text);
  if (!Number.isSafeInteger(revision) || revision < 1)
    throw new UsageError(`--revision takes a whole number from 1, not ${text}`);
  return revision;
}

function timeoutOf(text: string): number {
  const milliseconds = parseDuration(text)?.millis;
  if (milliseconds === undefined || milliseconds <= 0)
    throw new UsageError(`--timeout takes a duration such as 5m, not ${text}`);
  return milliseconds;
}
