import { apiVersion, type ManifestInput } from '../../api';
import { certificates } from './default-profile/certificates';
import { configuration } from './default-profile/configuration';
import { environment } from './default-profile/environment';
import { identity } from './default-profile/identity';
import { identityAgent, identitySocket } from './default-profile/identity-node';
import { logs } from './default-profile/logs';
import { clock, kernel, logRotation, memoryAgent } from './default-profile/machine';
import { metrics } from './default-profile/metrics';
import { mutualTls } from './default-profile/mutual-tls';
import { network } from './default-profile/network';
import { nodeLogs } from './default-profile/node-logs';
import { nodeMetrics } from './default-profile/node-metrics';
import { nodeNames } from './default-profile/node-names';
import { repository } from './default-profile/repository';
import { secrets } from './default-profile/secrets';
import { traffic } from './default-profile/traffic';

/** Default runtime profile; docs/runtime-profile.md lists its parts. */
export const defaultProfile: ManifestInput<'RuntimeProfile'> = {
  apiVersion,
  kind: 'RuntimeProfile',
  metadata: { name: 'default-1' },
  spec: {
    version: '1.0.0',
    summary: 'The first shipped profile.',
    env: environment,
    parts: [
      clock,
      kernel,
      logRotation,
      memoryAgent,
      nodeNames,
      nodeMetrics,
      nodeLogs,
      identityAgent,
      identitySocket,
      network,
      identity,
      certificates,
      secrets,
      configuration,
      repository,
      logs,
      metrics,
      mutualTls,
      traffic,
    ],
  },
};
