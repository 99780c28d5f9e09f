import { parseDuration } from '../../api';
import { type EtcdPolicy, usualEtcdPolicy } from '../../operations';
import { UsageError } from '../arguments';
import { type EtcdArguments, quotaOf } from './etcd-options';

/** What may be done to an etcd by a command line. */
export function etcdPolicy(given: EtcdArguments): EtcdPolicy {
  const { revision, patience } = given.texts;
  return {
    ...usualEtcdPolicy,
    ...quotaOf(given),
    ...(revision !== undefined && { revision: revisionOf(revision) }),
    ...(patience !== undefined && { patience: patienceOf(patience) }),
    corrupt: given.flags.corrupt === true,
  };
}

function revisionOf(text: string): number {
  const revision = Number(text);
  if (!Number.isSafeInteger(revision) || revision < 1)
    throw new UsageError(`--revision takes a whole number from 1, not ${text}`);
  return revision;
}

function patienceOf(text: string): number {
  const milliseconds = parseDuration(text)?.millis;
  if (milliseconds === undefined || milliseconds <= 0)
    throw new UsageError(`--patience takes a duration such as 5m, not ${text}`);
  return milliseconds;
}
