import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { metricsCatalog, nameIn } from '../../../lib/observability';
import { expectStatus, messageOf } from '../../control-plane/api-response';
import { type SendableObject } from '../../control-plane/client';
import { type Cluster } from '../../control-plane/cluster';
import { TestAuthority } from '../../kube/certificates';

/** Address of this machine outside of its loopback interface, to which alone the API server proxies; undefined if it has none. */
export const machineAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

/** A node whose kubelet serves logs, and whose pods serve metrics on one port. */
export class SimulatedNode {
  readonly name = 'runbook-node';
  readonly #cluster: Cluster;
  readonly #address: string;
  readonly #servers: readonly Server[];

  private constructor(cluster: Cluster, address: string, servers: readonly Server[]) {
    this.#cluster = cluster;
    this.#address = address;
    this.#servers = servers;
  }

  /** Port of the metrics of all its pods. */
  get metricsPort(): number {
    return portOf(this.#servers[1]);
  }

  /** Starts its servers and registers it; the metrics are those of the running controller, and the names of all other ones. */
  static async start(cluster: Cluster, address: string, controllerUrl: string): Promise<SimulatedNode> {
    const { key, certificate } = new TestAuthority().certify('runbook-node', ['127.0.0.1']);
    const kubelet = createServer({ key, cert: certificate }, serveLogs) as unknown as Server;
    const metrics = createHttpServer((_, response) => {
      void fetch(`${controllerUrl}/metrics`)
        .then((own) => own.text())
        .then((own) => response.end(`${own}${otherMetrics}`));
    });
    await listening(kubelet, '127.0.0.1');
    await listening(metrics, address);
    const node = new SimulatedNode(cluster, address, [kubelet, metrics]);
    await node.#register();
    return node;
  }

  /** Creates a pod that runs and is ready. */
  async run(
    namespace: string,
    name: string,
    labels: Readonly<Record<string, string>>,
    containers = ['app'],
  ): Promise<void> {
    const { client } = this.#cluster;
    const image = 'registry.example.com/app:1.0.0';
    const securityContext = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
    const ports = [{ name: 'http', containerPort: this.metricsPort }];
    const pod = {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels } },
      spec: {
        nodeName: this.name,
        securityContext: { runAsNonRoot: true, runAsUser: 65534, seccompProfile: { type: 'RuntimeDefault' } },
        tolerations: [{ operator: 'Exists' }],
        containers: containers.map((each, index) => ({
          name: each,
          image,
          securityContext,
          ...(index === 0 && { ports }),
        })),
      },
    };
    let response = await client.create(pod as SendableObject);
    // The service account of a new namespace follows.
    await client.waitFor(`a service account in ${namespace}`, async () => {
      const isEarly = response.status === 403 && messageOf(response).includes('serviceaccount');
      if (isEarly) response = await client.create(pod as SendableObject);
      return !isEarly;
    });
    expectStatus(response, [201]);
    await this.#status(`/api/v1/namespaces/${namespace}/pods/${name}`, {
      ...{ phase: 'Running', podIP: this.#address, podIPs: [{ ip: this.#address }] },
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: containers.map((each) => ({
        ...{ name: each, image, imageID: '', ready: true, restartCount: 0, started: true },
        state: { running: { startedAt: new Date().toISOString() } },
      })),
    });
  }

  stop(): void {
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
  }

  async #register(): Promise<void> {
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: this.name, labels: { 'node-role.kubernetes.io/control-plane': '' } },
    };
    expectStatus(await this.#cluster.client.create(node), [201]);
    const daemonEndpoints = { kubeletEndpoint: { Port: portOf(this.#servers[0]) } };
    const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
    // Pods of workloads run on the other nodes.
    const { stdout } = await this.#cluster.kubectl(['get', 'nodes', '-o', 'name']);
    for (const other of stdout
      .trim()
      .split('\n')
      .filter((each) => each !== `node/${this.name}`))
      await this.#status(`/api/v1/nodes/${other.replace('node/', '')}`, { addresses, daemonEndpoints });
    await this.#status(`/api/v1/nodes/${this.name}`, {
      ...{ addresses, daemonEndpoints },
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
    });
  }

  async #status(path: string, status: object): Promise<void> {
    const { code, stderr } = await this.#cluster.kubectl([
      ...['patch', '--subresource=status', '--type=merge', ...resourceAt(path), '-p', JSON.stringify({ status })],
    ]);
    if (code !== 0) throw new Error(`${path}: ${stderr}`);
  }
}

/** Returns the arguments by which kubectl names the object at a path. */
function resourceAt(path: string): readonly string[] {
  const [kind = '', name = ''] = path.split('/').slice(-2);
  const [, namespace] = /namespaces\/([^/]+)/.exec(path) ?? [];
  return [kind, name, ...(namespace === undefined ? [] : ['-n', namespace])];
}

const portOf = (server: Server | undefined): number => (server?.address() as AddressInfo).port;

const listening = (server: Server, host: string): Promise<void> =>
  new Promise((resolve) => void server.listen(0, host, resolve));

const serveLogs: RequestListener = ({ url = '' }, response) => {
  const isLog = url.startsWith('/containerLogs/');
  response.writeHead(isLog ? 200 : 404).end(isLog ? `log of ${url}\n` : '');
};

/** Names of the metrics of pinion's other programs; that they expose them is tested where they run. */
const otherMetrics = metricsCatalog
  .filter(({ component }) => component !== 'kube-apiserver' && component !== 'etcd')
  .map((metric) => `${nameIn(metric, '1.36')} 1\n`)
  .join('');
