import { ports } from '../ports';
import { type PlatformFacts } from './platform-facts';

/** Variables by which a program finds the API server by its own name, before addresses of services lead anywhere. */
export const apiEndpoint = ({ endpoint }: Pick<PlatformFacts, 'endpoint'>) => [
  { name: 'KUBERNETES_SERVICE_HOST', value: endpoint },
  { name: 'KUBERNETES_SERVICE_PORT', value: String(ports.apiServer) },
];

/** URL of the API server. */
export const apiUrl = ({ endpoint }: Pick<PlatformFacts, 'endpoint'>): string =>
  `https://${endpoint}:${ports.apiServer}`;
