import { request } from 'node:http';
import { valueAt } from '../../api';
import { type KubeClient } from '../../kube';
import { readEtcdHealth, unreachableMember } from './etcd-health';
import { type ControlPlaneNode } from './machines';
import { type DatabaseHealth, type ControlPlaneHealth } from './observed-cluster';
import { errorText } from '../../process';

/** Reads the health of a control plane node. */
export type ControlPlaneProbe = (node: ControlPlaneNode) => Promise<ControlPlaneHealth>;

/** Dependencies of a probe. */
export interface ControlPlaneProbeDeps {
  /** Returns a client of the API server at exactly this address. */
  readonly apiServer: (address: string) => KubeClient;
  /** Plain HTTP metrics port of each etcd database. */
  readonly metricsPorts: Readonly<Record<string, number>>;
}

/** Metrics ports of the etcd databases of a control plane node. */
export const defaultMetricsPorts: Readonly<Record<string, number>> = { main: 2381, events: 2481, leases: 2581 };

/** Timeout of a probe; a healthy node responds within milliseconds. */
const probeTimeoutMs = 5_000;

/** Returns a probe of the API server and the etcd members at the address of the node, so that a healthy peer cannot hide an unhealthy one. */
export const controlPlaneProbe =
  (deps: ControlPlaneProbeDeps): ControlPlaneProbe =>
  async (node) => {
    const [server, databases] = await Promise.all([
      serverHealth(deps.apiServer(node.address)),
      Promise.all(node.databases.map((database) => databaseHealth(deps, node.address, database))),
    ]);
    return { member: node.member, ...server, databases };
  };

async function serverHealth(client: KubeClient): Promise<Pick<ControlPlaneHealth, 'unhealthyReason' | 'version'>> {
  const options = { timeout: probeTimeoutMs, retries: 0 };
  try {
    await client.unlimited.request('GET', '/readyz', undefined, options);
    const version = valueAt(await client.unlimited.request('GET', '/version', undefined, options), ['gitVersion']);
    return typeof version === 'string' ? { version } : {};
  } catch (error) {
    return { unhealthyReason: errorText(error) };
  }
}

async function databaseHealth(
  { metricsPorts }: ControlPlaneProbeDeps,
  address: string,
  database: string,
): Promise<DatabaseHealth> {
  const port = metricsPorts[database];
  if (port === undefined) return unreachableMember(database, 'no metrics port is configured');
  try {
    const [health, metrics] = await Promise.all([
      fetchText(address, port, '/health'),
      fetchText(address, port, '/metrics'),
    ]);
    return readEtcdHealth(database, { health, metrics });
  } catch (error) {
    return unreachableMember(database, errorText(error));
  }
}

/** Returns the response body for any status: an unhealthy member reports the reason with a 503. */
const fetchText = (host: string, port: number, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ host, port, path, timeout: probeTimeoutMs, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text));
      response.on('error', reject);
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${host}:${port} timed out after ${probeTimeoutMs} ms`)));
    outgoing.on('error', reject);
    outgoing.end();
  });
