import { createServer, type Server } from 'node:http';
import { environmentPrefix } from '../../api';
import { canaryPort } from './kinds/canary-pod-template';

/** Variables that the platform sets in every app container. */
const requiredVariables = ['PROJECT', 'WORKLOAD', 'KIND', 'CLUSTER'].map((name) => `${environmentPrefix}${name}`);

/** Returns the platform variables that are missing from an environment. */
export const missingVariables = (environment: Readonly<Record<string, string | undefined>>): string[] =>
  requiredVariables.filter((name) => !environment[name]);

/** Starts the server of a canary workload: answers 200, or 503 with the missing variables. */
export function startCanaryServer(
  environment: Readonly<Record<string, string | undefined>>,
  port: number = canaryPort,
): Promise<Server> {
  const missing = missingVariables(environment);
  const server = createServer((_request, response) => {
    response.writeHead(missing.length === 0 ? 200 : 503, { 'content-type': 'text/plain' });
    response.end(missing.length === 0 ? 'ok\n' : `missing: ${missing.join(', ')}\n`);
  });
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, () => resolve(server));
  });
}
