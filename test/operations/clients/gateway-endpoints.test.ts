import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { listen } from '../../../lib/process';
import { GatewayEndpoints } from '../../../lib/operations/clients/history/gateway-endpoints';
import { realClock } from '../../kube/real-clock';
import { InMemoryCluster } from '../../submission/engine/in-memory-cluster';

let gateway: Server;
let respond: (response: ServerResponse) => void;
let cluster: InMemoryCluster;
let endpoints: GatewayEndpoints;
let port: number;

beforeEach(async () => {
  respond = (response) => void response.end('pinion_gateway_ready 1\n');
  gateway = createServer((_, response) => respond(response));
  await listen(gateway, 0, '127.0.0.1');
  port = (gateway.address() as AddressInfo).port;
  cluster = new InMemoryCluster();
  const service = { namespace: 'pinion-gateway', name: 'pinion-gateway', port };
  endpoints = new GatewayEndpoints({ client: cluster.client(), clock: realClock, service, onError: () => undefined });
  endpoints.start();
});
afterEach(async () => {
  await endpoints.stop();
  gateway.closeAllConnections();
  await new Promise((done) => gateway.close(done));
});

/** Stores a slice of the Service, and waits until it has been read. */
async function publish(name: string, addresses: readonly string[], gateways: number): Promise<void> {
  const metadata = { name, namespace: 'pinion-gateway', labels: { 'kubernetes.io/service-name': 'pinion-gateway' } };
  const slice = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata, addressType: 'IPv4' };
  await cluster.write('create', { ...slice, endpoints: addresses.map((address) => ({ addresses: [address] })) });
  for (let tries = 0; endpoints.readers().length !== gateways && tries < 300; tries++)
    await new Promise((next) => setTimeout(next, 10));
  expect(endpoints.readers()).toHaveLength(gateways);
}
const read = (): Promise<string>[] => endpoints.readers().map((reader) => reader());

test('each gateway is read at its own address, also one that comes later', async () => {
  expect(endpoints.readers()).toEqual([]);
  await publish('one', ['127.0.0.1', '127.0.0.2'], 2);
  await publish('two', ['127.0.0.1', '127.0.0.3'], 3);
  const [first, ...others] = await Promise.allSettled(read());
  expect(first).toEqual({ status: 'fulfilled', value: 'pinion_gateway_ready 1\n' });
  // Only the first address has a listener.
  for (const [index, other] of others.entries())
    expect(other).toMatchObject({
      reason: { message: expect.stringContaining(`127.0.0.${index + 2}:${port} cannot be read: `) as string },
    });
});

test('a gateway that fails, or is interrupted, is an error with its address', async () => {
  await publish('one', ['127.0.0.1'], 1);
  respond = (response) => void response.writeHead(503).end();
  await expect(Promise.all(read())).rejects.toThrow(`127.0.0.1:${port} responded with status 503`);
  respond = (response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('pinion', () => response.destroy());
  };
  await expect(Promise.all(read())).rejects.toThrow(`127.0.0.1:${port} was interrupted: `);
});
