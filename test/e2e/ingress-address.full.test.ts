import { addOns } from '../../stacks/plan/platform/add-ons/add-ons';
import { planPlatformStack } from '../../stacks/plan/platform';
import { findModule, pinnedVersion } from '../control-plane/go-modules';
import { waitFor } from '../control-plane/wait-for';
import { makePlatformInput } from '../stacks/plan/platform/make-platform-input';
import { realClock, startTestServer } from '../submission/http/test-server';
import { balancerAddress, TraefikProcess, whyNoTraefik, type Sender } from './traefik-process';

const skipReason = whyNoTraefik();
const describeTraefik = skipReason === undefined ? describe : describe.skip;
const podAddress = '127.0.0.3';
const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');

/** Returns a PROXY protocol v2 header of a TCP connection from an IPv4 address. */
const proxyHeader = (client: string): Buffer =>
  Buffer.concat([
    signature,
    Buffer.from('2111000c', 'hex'),
    Buffer.from([client, '10.0.0.5'].flatMap((address) => address.split('.').map(Number))),
    Buffer.from('9c4001bb', 'hex'),
  ]);

/** Header of a health check, as a network load balancer sends it: the command LOCAL, a checksum and padding. */
const healthCheckHeader = Buffer.concat([
  signature,
  Buffer.from('20110054030004bce5951f04004a', 'hex'),
  Buffer.alloc(74),
]);

const fromBalancer = (client: string, ...headers: string[]): Sender => ({
  address: balancerAddress,
  header: proxyHeader(client),
  headers,
});
const forged = ['X-Forwarded-For: 203.0.113.9', 'X-Real-Ip: 203.0.113.9', 'Forwarded: for=203.0.113.9'];

/** Returns the planned flags of the internal ingress controller. */
function plannedFlags(): readonly string[] {
  const objects = planPlatformStack(makePlatformInput()).flatMap((stage) => stage.objects);
  const controller = objects.find(
    ({ kind, metadata }) => kind === 'PinterestService' && metadata.name === 'ingress-internal',
  );
  const { template } = controller?.['spec'] as { template: { spec: { containers: { args: string[] }[] } } };
  return template.spec.containers[0]?.args ?? [];
}

const title = 'addresses of clients behind the ingress controller';
describeTraefik(skipReason === undefined ? title : `${title} (SKIPPED: ${skipReason})`, () => {
  let traefik: TraefikProcess;
  /** Sends an unauthenticated request; 429 if an earlier request was charged to the same address. */
  const statusFor = async (sender: Sender) => (await traefik.get('web', '/v1/me', sender)).status;

  beforeEach(async () => {
    const { url } = await startTestServer(
      {},
      {
        clock: { ...realClock, now: () => 0 },
        limits: { unauthenticatedRate: { qps: 1, burst: 1 } },
        trustedProxies: ['127.0.0.1'],
      },
    );
    traefik = await TraefikProcess.start(plannedFlags(), url);
  }, 60_000);
  afterEach(() => traefik.stop());

  test('it is the version that the stack installs', () => {
    expect(pinnedVersion(findModule('traefik'))).toBe(addOns.traefik.version);
  });

  test('each client of a load balancer has its own address, whatever its headers state', async () => {
    expect(await statusFor(fromBalancer('198.51.100.7'))).toBe(401);
    expect(await statusFor(fromBalancer('198.51.100.7'))).toBe(429);
    expect(await statusFor(fromBalancer('198.51.100.7', ...forged))).toBe(429);
    expect(await statusFor(fromBalancer('198.51.100.8'))).toBe(401);
    expect(await statusFor(fromBalancer('203.0.113.9'))).toBe(401);
  });

  test('a pod that connects directly keeps its address, whatever it states', async () => {
    expect(await statusFor({ address: podAddress })).toBe(401);
    expect(await statusFor({ address: podAddress, headers: forged })).toBe(429);
    expect(await statusFor({ address: podAddress, header: proxyHeader('198.51.100.7') })).toBe(429);
    expect(await statusFor(fromBalancer('198.51.100.7'))).toBe(401);
  });

  test('health checks of the load balancer and probes of the kubelet are answered, with and without a header', async () => {
    const ping = async (sender: Sender) => (await traefik.get('traefik', '/ping', sender)).status;
    expect(await ping({ address: balancerAddress, header: healthCheckHeader })).toBe(200);
    expect(await ping({ address: balancerAddress })).toBe(200);
    expect(await ping({ address: podAddress })).toBe(200);
  });

  test('a terminating ingress controller fails its health checks, and still accepts connections', async () => {
    traefik.child.kill('SIGTERM');
    const unhealthy = { address: balancerAddress, header: healthCheckHeader };
    await waitFor(
      'a failed health check',
      async () => (await traefik.get('traefik', '/ping', unhealthy)).status === 503,
    );
    expect(await statusFor(fromBalancer('198.51.100.7'))).toBe(401);
    expect(traefik.child.exitCode).toBeNull();
  });
});
