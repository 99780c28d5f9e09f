import { isIP } from 'node:net';
import { workloadKinds } from '../../../api';
import { canaryDeploymentPaths, canaryProject, canarySandbox } from '../../../programs';
import { clusterOptions } from '../../cluster/cluster-connection';
import { type OptionSpecs, type OptionValues } from '../../command/command-spec';
import { objectOutput } from '../../command/output-options';
import { programOptions } from '../../input/program-variables';
import { textType } from '../../command/option-value-type';

/** An IP address; a port may follow, after brackets for IPv6. */
const nameServerType = textType(
  'IP',
  'addresses such as 10.96.0.10',
  (text) => isIP(text) > 0 || isIP(text.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1')) > 0,
);

const reportOptions = {
  namespace: {
    type: 'string',
    valueName: 'NAME',
    default: canaryProject,
    description: 'namespace of the report',
  },
  json: { type: 'flag', description: 'print the result as JSON' },
  ...clusterOptions,
} as const satisfies OptionSpecs;

/** Options of `pinion canary run`. */
export const canaryRunOptions = {
  kind: {
    type: 'list',
    valueName: 'KINDS',
    choices: Object.keys(workloadKinds),
    description: 'kinds to test',
    defaultText: 'all',
  },
  'deployment-path': {
    type: 'list',
    valueName: 'PATHS',
    choices: canaryDeploymentPaths,
    description: `deployment paths to test: ${canaryDeploymentPaths.join(', ')}`,
    defaultText: 'all',
  },
  timeout: {
    type: 'duration',
    min: '1s',
    max: '10m',
    defaultText: '2m',
    description: 'time limit of each step that waits',
  },
  'name-server': {
    type: 'list',
    valueName: 'IPS',
    items: nameServerType,
    description: 'DNS servers to query',
    defaultText: 'DNS names are not checked',
  },
  image: {
    type: 'string',
    valueName: 'IMAGE',
    description: 'image of the test containers',
    defaultText: 'image of the installed canary',
  },
  project: { type: 'string', valueName: 'NAME', default: canarySandbox, description: 'project to deploy to' },
  ...reportOptions,
} as const satisfies OptionSpecs;

/** Options of `pinion canary gate`. */
export const canaryGateOptions = {
  fresh: { type: 'duration', defaultText: '30m', description: 'maximum age of the last run' },
  ...reportOptions,
} as const satisfies OptionSpecs;

/** Options of `pinion canary manifests`. */
export const canaryManifestOptions = {
  image: { type: 'string', valueName: 'IMAGE', required: true, description: 'image of the canary, with tag or digest' },
  schedule: {
    type: 'string',
    valueName: 'CRON',
    description: 'schedule of the runs',
    defaultText: 'every ten minutes',
  },
  ...programOptions,
  output: objectOutput,
} as const satisfies OptionSpecs;

/** Values of `canaryRunOptions`. */
export type CanaryRunValues = OptionValues<typeof canaryRunOptions>;

/** Values of `canaryGateOptions`. */
export type CanaryGateValues = OptionValues<typeof canaryGateOptions>;

/** Values of `canaryManifestOptions`. */
export type CanaryManifestValues = OptionValues<typeof canaryManifestOptions>;
