import { bytesText, parseQuantity } from '../../../api';
import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { textOutput, yesOption } from '../../command/output-options';
import { UsageError } from '../../command/usage-error';

/** Options of `pinion etcd analyze` and `diff`. */
export const etcdFileOptions = {
  output: textOutput,
  json: { type: 'string', valueName: 'FILE', description: 'write everything as JSON to a file' },
  html: { type: 'string', valueName: 'FILE', description: 'write the key space as an interactive flame graph' },
  svg: { type: 'string', valueName: 'FILE', description: 'write the flame graph as a picture' },
  speedscope: { type: 'string', valueName: 'FILE', description: 'write the flame graph for speedscope' },
  top: { type: 'integer', min: 1, max: 1000, default: 10, description: 'rows of each table, up to 1000' },
  quota: {
    type: 'string',
    valueName: 'SIZE',
    description: 'value of --quota-backend-bytes, such as 8Gi',
    defaultText: '2Gi, the default of etcd',
  },
  'no-checksum': { type: 'flag', description: 'do not verify the checksum of a snapshot' },
} as const satisfies OptionSpecs;

/** Options of `pinion etcd` subcommands that connect to members. */
export const etcdConnectionOptions = {
  endpoints: {
    type: 'list',
    valueName: 'URLS',
    environment: 'ETCDCTL_ENDPOINTS',
    description: 'endpoints of at least one member',
    defaultText: '127.0.0.1:2379',
  },
  cacert: {
    type: 'string',
    valueName: 'FILE',
    environment: 'ETCDCTL_CACERT',
    description: 'certificate authority of the members',
  },
  cert: { type: 'string', valueName: 'FILE', environment: 'ETCDCTL_CERT', description: 'client certificate' },
  key: { type: 'string', valueName: 'FILE', environment: 'ETCDCTL_KEY', description: 'key of the client certificate' },
  quota: {
    type: 'string',
    valueName: 'SIZE',
    description: 'quota of members of etcd 3.5, which do not report it',
    defaultText: '2Gi',
  },
} as const satisfies OptionSpecs;

/** Options of `pinion etcd` subcommands that change members. */
export const etcdMaintenanceOptions = {
  ...etcdConnectionOptions,
  'dry-run': { type: 'flag', description: 'only show the plan' },
  yes: yesOption,
  timeout: {
    type: 'duration',
    description: 'how long a member may take to recover after a step',
    defaultText: '2m',
  },
  output: textOutput,
} as const satisfies OptionSpecs;

/** Values of `etcdFileOptions`. */
export type EtcdFileOptions = OptionValues<typeof etcdFileOptions>;

/** Values of `etcdConnectionOptions`. */
export type EtcdConnectionOptions = OptionValues<typeof etcdConnectionOptions>;

/** Values of `etcdMaintenanceOptions`, and those of single subcommands. */
export type EtcdMaintenanceOptions = OptionValues<typeof etcdMaintenanceOptions> & {
  readonly revision?: number;
  readonly corrupt?: boolean;
};

/** A smaller quota does not hold even an empty cluster: its unit was forgotten. */
const minQuota = 1024 ** 2;

/** Parses the bytes of `--quota`. Throws a `UsageError`. */
export function quotaOption({ quota: text }: { readonly quota?: string }): { readonly quota?: number } {
  if (text === undefined) return {};
  const quota = parseQuantity(text);
  const bytes = quota === undefined ? Number.NaN : Number(quota.nanos) / 1e9;
  if (!(bytes >= 1)) throw new UsageError(`--quota must be a size such as 8Gi, not ${text}`);
  if (bytes < minQuota) {
    const guess = /^\d{1,3}$/.test(text) ? `; did you mean ${text}Gi?` : '';
    throw new UsageError(`--quota must be a size such as 8Gi, not ${bytesText(bytes)}${guess}`);
  }
  return { quota: bytes };
}
