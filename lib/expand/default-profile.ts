import { apiVersion, type Input } from '../api';
import { configuration } from './default-profile/configuration';
import { environment } from './default-profile/environment';
import { identity } from './default-profile/identity';
import { logs } from './default-profile/logs';
import { metrics } from './default-profile/metrics';
import { network } from './default-profile/network';

/** The runtime profile that is in force where a cluster names no other. */
export const defaultProfile: Input<'RuntimeProfile'> = {
  apiVersion,
  kind: 'RuntimeProfile',
  metadata: { name: 'default-1' },
  spec: {
    version: '1.0.0',
    summary: 'First shipped profile.',
    env: environment,
    parts: [identity, network, configuration, logs, metrics],
  },
};
