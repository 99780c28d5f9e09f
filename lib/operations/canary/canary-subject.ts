import { createServer, type Server } from 'node:http';
import { environmentPrefix } from '../../api';
import { servedPort } from './canary-workload';

/** Variables that the platform gives to every container of an app. */
const promised = ['PROJECT', 'WORKLOAD', 'KIND', 'CLUSTER'].map((name) => `${environmentPrefix}${name}`);

/** Variables that the platform promises and the process has not. */
export const missingVariables = (environment: Readonly<Record<string, string | undefined>>): string[] =>
  promised.filter((name) => !environment[name]);

/** Serves what a workload of the canary serves: 200 at any path where its environment is whole, else 503 with what is missing. */
export function startSubject(
  environment: Readonly<Record<string, string | undefined>>,
  port: number = servedPort,
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
