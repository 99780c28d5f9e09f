import { bytesText, parseQuantity } from '../../api';
import { type Arguments, UsageError } from '../arguments';

/** Options of all words of `pinion etcd`. */
export const etcdOptions = {
  output: { type: 'string', short: 'o', values: ['text', 'json'] },
  json: { type: 'string' },
  html: { type: 'string' },
  svg: { type: 'string' },
  speedscope: { type: 'string' },
  top: { type: 'string' },
  quota: { type: 'string' },
  'no-checksum': { type: 'boolean' },
  endpoints: { type: 'string' },
  cacert: { type: 'string' },
  cert: { type: 'string' },
  key: { type: 'string' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  revision: { type: 'string' },
  corrupt: { type: 'boolean' },
  patience: { type: 'string' },
  member: { type: 'string' },
} as const;

/** A command line of `pinion etcd`. */
export type EtcdArguments = Arguments<keyof typeof etcdOptions>;

/** An etcd with a smaller quota holds not even an empty cluster: a unit was forgotten. */
const leastQuota = 1024 ** 2;

/** Bytes of `--quota`; nothing where it was not given. */
export function quotaOf({ texts }: EtcdArguments): { readonly quota?: number } {
  if (texts.quota === undefined) return {};
  const quota = parseQuantity(texts.quota);
  const bytes = quota === undefined ? Number.NaN : Number(quota.nanos) / 1e9;
  if (!(bytes >= 1)) throw new UsageError(`--quota takes a size such as 8Gi, not ${texts.quota}`);
  if (bytes < leastQuota) {
    const guess = /^\d{1,3}$/.test(texts.quota) ? `: did you mean ${texts.quota}Gi?` : '';
    throw new UsageError(`--quota takes a size such as 8Gi; ${texts.quota} is ${bytesText(bytes)}${guess}`);
  }
  return { quota: bytes };
}
