import { bytesText, parseQuantity } from '../../../api';
import { type Arguments, UsageError } from '../../command/arguments';

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
  timeout: { type: 'string' },
  member: { type: 'string' },
} as const;

/** A command line of `pinion etcd`. */
export type EtcdArguments = Arguments<keyof typeof etcdOptions>;

/** An etcd with a smaller quota holds not even an empty cluster: a unit was forgotten. */
const minQuota = 1024 ** 2;

/** Bytes of `--quota`; nothing where it was not given. */
export function quotaOption({ values }: EtcdArguments): { readonly quota?: number } {
  if (values.quota === undefined) return {};
  const quota = parseQuantity(values.quota);
  const bytes = quota === undefined ? Number.NaN : Number(quota.nanos) / 1e9;
  if (!(bytes >= 1)) throw new UsageError(`--quota takes a size such as 8Gi, not ${values.quota}`);
  if (bytes < minQuota) {
    const guess = /^\d{1,3}$/.test(values.quota) ? `: did you mean ${values.quota}Gi?` : '';
    throw new UsageError(`--quota takes a size such as 8Gi; ${values.quota} is ${bytesText(bytes)}${guess}`);
  }
  return { quota: bytes };
}
