import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { textOutput, yesOption } from '../../command/output-options';
import { parseHttpUrl, sizeType, textType } from '../../command/option-value-type';

/** Minimum quota: a smaller one cannot store even an empty cluster, so its unit is probably missing. */
const quotaType = sizeType({ min: '1Mi', example: '8Gi' });

const endpointType = textType(
  'URL',
  'addresses such as https://10.0.0.1:2379',
  (text) => parseHttpUrl(text.includes('://') ? text : `https://${text}`) !== undefined,
);

/** Options of `pinion etcd analyze` and `diff`. */
export const etcdFileOptions = {
  output: textOutput,
  json: { type: 'string', valueName: 'FILE', description: 'file for all results as JSON' },
  html: { type: 'string', valueName: 'FILE', description: 'file for an interactive flame graph of the key space' },
  svg: { type: 'string', valueName: 'FILE', description: 'file for the flame graph as an SVG image' },
  speedscope: {
    type: 'string',
    valueName: 'FILE',
    description: 'file for the flame graph in the format of speedscope',
  },
  top: { type: 'integer', min: 1, max: 1000, default: 10, description: 'number of rows per table, up to 1000' },
  quota: {
    type: 'parsed',
    valueType: quotaType,
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
    items: endpointType,
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
    type: 'parsed',
    valueType: quotaType,
    description: 'quota of etcd 3.5 members, which do not report it',
    defaultText: '2Gi',
  },
} as const satisfies OptionSpecs;

/** Options of `pinion etcd` subcommands that change members. */
export const etcdMaintenanceOptions = {
  ...etcdConnectionOptions,
  'dry-run': { type: 'flag', description: 'show the plan, and change nothing' },
  yes: yesOption,
  timeout: {
    type: 'duration',
    description: 'time for a member to recover after a step',
    defaultText: '2m',
  },
  output: textOutput,
} as const satisfies OptionSpecs;

/** Values of `etcdFileOptions`. */
export type EtcdFileOptions = OptionValues<typeof etcdFileOptions>;

/** Values of `etcdConnectionOptions`. */
export type EtcdConnectionOptions = OptionValues<typeof etcdConnectionOptions>;

/** Values of `etcdMaintenanceOptions` and of options of individual subcommands. */
export type EtcdMaintenanceOptions = OptionValues<typeof etcdMaintenanceOptions> & {
  readonly revision?: number;
  readonly corrupt?: boolean;
};
