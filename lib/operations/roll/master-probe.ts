import { request } from 'node:http';
import { valueAt } from '../../api';
import { type KubeClient } from '../../kube';
import { readEtcdHealth, silentMember } from './etcd-health';
import { type MasterPlace } from './machines';
import { type DatabaseHealth, type MasterHealth } from './observed';

/** Asks a master how it is. */
export type MasterProbe = (place: MasterPlace) => Promise<MasterHealth>;

/** What a probe needs. */
export interface MasterProbeParts {
  /** A client of the API server at an address, not of any other. */
  readonly apiServer: (address: string) => KubeClient;
  /** Port of each database for metrics over plain HTTP. */
  readonly metricsPorts: Readonly<Record<string, number>>;
}

/** Ports that each database of a master shows its metrics on. */
export const usualMetricsPorts: Readonly<Record<string, number>> = { main: 2381, events: 2481, leases: 2581 };

/** Milliseconds that a master has for an answer; a healthy one needs a few. */
const answerTime = 5_000;

/** Asks API server and databases of a master at its own address, each by itself: one that is ill must not look well through the others. */
export const masterProbe =
  (parts: MasterProbeParts): MasterProbe =>
  async (place) => {
    const [server, databases] = await Promise.all([
      serverHealth(parts.apiServer(place.address)),
      Promise.all(place.databases.map((database) => databaseHealth(parts, place.address, database))),
    ]);
    return { member: place.member, ...server, databases };
  };

async function serverHealth(client: KubeClient): Promise<Pick<MasterHealth, 'illness' | 'version'>> {
  const options = { timeout: answerTime, retries: 0 };
  try {
    await client.unlimited.request('GET', '/readyz', undefined, options);
    const version = valueAt(await client.unlimited.request('GET', '/version', undefined, options), ['gitVersion']);
    return typeof version === 'string' ? { version } : {};
  } catch (error) {
    return { illness: messageOf(error) };
  }
}

async function databaseHealth(
  { metricsPorts }: MasterProbeParts,
  address: string,
  database: string,
): Promise<DatabaseHealth> {
  const port = metricsPorts[database];
  if (port === undefined) return silentMember(database, 'nobody knows the port of its metrics');
  try {
    const [health, metrics] = await Promise.all([
      fetchText(address, port, '/health'),
      fetchText(address, port, '/metrics'),
    ]);
    return readEtcdHealth(database, { health, metrics });
  } catch (error) {
    return silentMember(database, messageOf(error));
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The body of an answer, whatever its status: an unhealthy member says why with a 503. */
const fetchText = (host: string, port: number, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = request({ host, port, path, timeout: answerTime, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => (text += piece));
      answer.on('end', () => resolve(text));
      answer.on('error', reject);
    });
    asked.on('timeout', () => asked.destroy(new Error(`no answer of ${host}:${port} within ${answerTime} ms`)));
    asked.on('error', reject);
    asked.end();
  });
