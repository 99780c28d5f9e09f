import { ports } from '../../network/ports';
import { type PlatformStackConfig } from '../config/platform-stack-config';

/** Returns variables for connecting to the API by its host name, before service addresses are routed. */
export const apiEndpoint = ({ endpoint }: Pick<PlatformStackConfig, 'endpoint'>) => [
  { name: 'KUBERNETES_SERVICE_HOST', value: endpoint },
  { name: 'KUBERNETES_SERVICE_PORT', value: String(ports.apiServer) },
];

/** Returns the URL of the API. */
export const apiUrl = ({ endpoint }: Pick<PlatformStackConfig, 'endpoint'>): string =>
  `https://${endpoint}:${ports.apiServer}`;
