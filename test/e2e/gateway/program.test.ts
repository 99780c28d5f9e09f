import { connect, type TLSSocket } from 'node:tls';
import { once } from 'node:events';
import { Registry } from 'prom-client';
import { connect as connectClient, SharedInformerFactory, loadKubeConfig, resourceOf } from '../../../lib/kube';
import { gatewayName, gatewayPermissions } from '../../../lib/expand';
import { expectStatus } from '../../control-plane/api-response';
import { type AuditEvent } from '../../control-plane/audit';
import { describeControlPlane } from '../../control-plane/suite';
import { waitFor } from '../../control-plane/wait-for';
import { type Certified, TestAuthority } from '../../kube/certificates';
import { realClock } from '../../kube/real-clock';
import { gatewayAccount, GatewayProcess } from '../../local/gateway-process';
import { gatewayAddress, platformWithGateway } from '../../local/gateway-platform';
import { installPinion } from '../../local/install-pinion';
import { permissionsOf, usedPermissions } from '../used-permissions';
import { gatewayKubeconfig } from './gateway-kubeconfig';
import { TcpBalancer } from './tcp-balancer';
import { allowReads, audience, gatewayToken, read } from './test-gateway';

const authority = new TestAuthority();
const documents = platformWithGateway(authority);
const minute = 60_000;

/** Certificate as an operator would issue it, and for the address at which these tests connect. */
const certify = (): Certified => authority.certify(`${gatewayName}.${gatewayName}.svc`, [gatewayAddress, '127.0.0.1']);

describeControlPlane('the installed gateway', (controlPlane) => {
  const processes: GatewayProcess[] = [];
  let gateway: GatewayProcess;
  let token: string;
  /** That of the gateway's own service account. */
  let ownKubeconfig: string;

  const startGateway = (name: string, flags: readonly string[] = []): GatewayProcess => {
    const { folder } = controlPlane();
    const started = GatewayProcess.start({
      kubeconfig: ownKubeconfig,
      folder,
      documents,
      certified: certify(),
      name,
      flags,
    });
    processes.push(started);
    return started;
  };
  /** Writes a kubeconfig of a client of a port. */
  const kubeconfigOf = (port: number, name: string): string =>
    gatewayKubeconfig(controlPlane(), { port, authority, token, name });
  const pod = (name: string, spec: object = {}): object => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { serviceAccountName: 'reader', containers: [{ name: 'app', image: 'example.com/app:1' }], ...spec },
  });
  const create = async (path: string, object: object): Promise<void> => {
    expectStatus(await controlPlane().client.request('POST', path, object), [201]);
  };

  beforeAll(async () => {
    await installPinion(controlPlane(), documents);
    token = await gatewayToken(controlPlane(), 'reader');
    await allowReads(controlPlane(), 'reader', ['get', 'list', 'watch', 'create', 'delete', 'patch']);
    const { namespace, name } = gatewayAccount;
    const ownToken = await controlPlane().serviceAccountToken(namespace, name);
    ownKubeconfig = controlPlane().kubeconfigFor({ token: ownToken });
    gateway = startGateway('first');
    await gateway.port();
  }, 3 * minute);
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.stop()));
  }, minute);

  test('is ready, and has the address that the Platform gives it', async () => {
    expect(await gateway.status('/livez')).toEqual({ status: 200, text: 'ok\n' });
    expect(await gateway.status('/readyz')).toEqual({ status: 200, text: 'ok\n' });
    const { text } = await gateway.status('/metrics');
    expect(text).toContain('nodejs_version_info');
    expect(text).toContain('pinion_gateway_');
    const service = await controlPlane().client.request(
      'GET',
      `/api/v1/namespaces/${gatewayName}/services/${gatewayName}`,
    );
    expect(service.body).toMatchObject({ spec: { clusterIP: gatewayAddress } });
  });

  test('serves kubectl with the token of a service account', async () => {
    const through = kubeconfigOf(await gateway.port(), 'kubectl');
    const kubectl = (args: readonly string[], stdin?: string) => controlPlane().kubectl(args, stdin, through);
    const waiting = kubectl(['wait', '--for=create', 'pod/applied', '-n', 'default', '--timeout=30s']);
    expect(await kubectl(['apply', '-f', '-'], JSON.stringify(pod('applied')))).toMatchObject({
      code: 0,
      stdout: 'pod/applied created\n',
    });
    expect(await waiting).toMatchObject({ code: 0 });
    expect((await kubectl(['get', 'pods', '-n', 'default'])).stdout).toMatch(/\napplied +0\/1 +Pending/);
    expect((await kubectl(['describe', 'pod', 'applied', '-n', 'default'])).stdout).toContain(
      'Name:             applied',
    );
    expect((await kubectl(['get', 'secrets', '-n', 'default'])).stderr).toContain('secrets is forbidden');
  });

  test('uses exactly its permissions', async () => {
    const before = { offset: 0 };
    await create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } });
    await create('/api/v1/namespaces/default/pods', pod('bound', { nodeName: 'node-1' }));
    const bound = await controlPlane().client.request(
      'POST',
      '/api/v1/namespaces/default/serviceaccounts/reader/token',
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { audiences: [audience], boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'bound' } },
      },
    );
    const { token: boundToken } = (bound.body as { readonly status: { readonly token: string } }).status;
    const url = `https://127.0.0.1:${await gateway.port()}/api/v1/namespaces/default/pods/bound`;
    expect(await read(url, authority.certificate, boundToken)).toMatchObject({ status: 200 });

    const user = `system:serviceaccount:${gatewayName}:${gatewayName}`;
    const events = controlPlane().audit.since(before, { user });
    const own = events.filter(({ impersonatedUser }) => impersonatedUser === undefined);
    expect(own.filter(({ responseStatus }) => responseStatus?.code === 403)).toEqual([]);
    const used = new Set([
      ...[...usedPermissions(own)].filter((permission) => !permission.startsWith('/ ')),
      ...events.flatMap(impersonations),
    ]);
    const granted = permissionsOf(gatewayPermissions({ resources: [] }));
    expect([...used].filter((permission) => !granted.has(permission))).toEqual([]);
    // It lists only where the API server does not begin watches with all objects.
    const unused = [...granted].filter((permission) => !used.has(permission));
    expect(unused.filter((permission) => !permission.endsWith(' list'))).toEqual([]);
  });

  test('presents a certificate that replaced the one before', async () => {
    const serial = async (): Promise<string> => {
      const socket: TLSSocket = connect({ port: await gateway.port(), host: '127.0.0.1', ca: authority.certificate });
      await once(socket, 'secureConnect');
      const { serialNumber } = socket.getPeerCertificate();
      socket.destroy();
      return serialNumber;
    };
    const before = await serial();
    gateway.replaceCertificate(certify());
    await waitFor('the new certificate', async () => (await serial()) !== before);
  });

  test(
    'is replaced without a list, an error or a lost event of informers and kubectl',
    async () => {
      const second = startGateway('second', ['--shutdown-delay=1', '--drain=2']);
      await second.port();
      const balancer = await TcpBalancer.start([second]);
      const through = kubeconfigOf(balancer.port, 'balanced');
      const registry = new Registry();
      const client = connectClient(loadKubeConfig({ file: through, environment: {} }), {
        clock: realClock,
        userAgent: 'informer',
      });
      const errors: unknown[] = [];
      const informers = new SharedInformerFactory({
        client,
        clock: realClock,
        registry,
        onError: (error) => errors.push(error),
        streamLists: true,
      });
      const names: string[] = [];
      const pods = informers.informer({ resource: resourceOf('Pod'), transform: ({ metadata }) => metadata.name });
      pods.addEventHandler({ onAdd: (name) => void names.push(name) });
      informers.start();
      await informers.waitForCacheSync();
      const waiting = controlPlane().kubectl(
        ['wait', '--for=create', 'pod/after', '-n', 'default', '--timeout=150s'],
        '',
        through,
      );
      const lists = async (): Promise<number> =>
        Number(/reflector_lists_total\{name="Pod"\} (\d+)/.exec(await registry.metrics())?.[1] ?? 0);
      const watches = async (): Promise<number> =>
        Number(/reflector_watches_total\{name="Pod"\} (\d+)/.exec(await registry.metrics())?.[1] ?? 0);
      const [listsBefore, watchesBefore] = [await lists(), await watches()];

      const third = startGateway('third');
      await third.port();
      balancer.use([second, third]);
      second.terminate();
      await waitFor('the gateway to be no longer ready', async () => (await second.status('/readyz')).status === 503);
      await create('/api/v1/namespaces/default/pods', pod('during'));
      expect(await second.ended).toBe(0);
      await create('/api/v1/namespaces/default/pods', pod('after'));
      await waitFor('the pod after the roll', () => Promise.resolve(names.includes('after') || undefined));
      expect(await waiting).toMatchObject({ code: 0, stderr: '' });
      expect(names.filter((name) => ['during', 'after'].includes(name))).toEqual(['during', 'after']);
      expect(await lists()).toBe(listsBefore);
      expect(await watches()).toBeGreaterThan(watchesBefore);
      expect(errors).toEqual([]);
      await informers.stop();
      client.close();
      await balancer.stop();
    },
    3 * minute,
  );

  test(
    'waits, alive and not ready, while the API server is gone, and then serves',
    async () => {
      await controlPlane().part('kube-apiserver').kill();
      const waiting = startGateway('waiting', ['--shutdown-delay=0']);
      await waiting.waitUntilLogged('not started');
      expect(await waiting.status('/livez')).toMatchObject({ status: 200 });
      expect(await waiting.status('/readyz')).toEqual({ status: 503, text: 'the caches are not filled yet\n' });
      await controlPlane().part('kube-apiserver').restart();
      await controlPlane().ready();
      await waiting.port();
      expect(await waiting.status('/readyz')).toMatchObject({ status: 200 });
      expect(await waiting.stop()).toBe(0);
    },
    3 * minute,
  );
});

/** Returns the permissions with which a request impersonated its client. */
function impersonations({ impersonatedUser }: AuditEvent): string[] {
  if (!impersonatedUser) return [];
  const { uid, extra = {} } = impersonatedUser;
  return [
    '/serviceaccounts impersonate',
    ...(uid === undefined ? [] : ['authentication.k8s.io/uids impersonate']),
    ...Object.keys(extra).map((key) => `authentication.k8s.io/userextras/${key} impersonate`),
  ];
}
