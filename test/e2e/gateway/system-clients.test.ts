import { gatewayName } from '../../../lib/expand';
import { expectStatus } from '../../control-plane/api-response';
import { type AuditMark } from '../../control-plane/audit';
import { TestAuthority } from '../../kube/certificates';
import { gatewayAccount, GatewayProcess } from '../../local/gateway-process';
import { gatewayAddress, platformWithGateway } from '../../local/gateway-platform';
import { controllerAccount } from '../../local/install-pinion';
import { describePinion, smallTemplate, workloadOf } from '../pinion-suite';
import { gatewayKubeconfig } from './gateway-kubeconfig';
import { audience } from './test-gateway';

const minute = 60_000;
/** Rounds of changes of all workloads: some seconds each; half an hour in all in the full suite. */
const rounds = process.env['PINION_E2E'] === 'full' ? 60 : 3;
const authority = new TestAuthority();
const documents = platformWithGateway(authority);
/** Flags with which the cluster starts its servers again. */
const flags: Record<'kube-controller-manager' | 'kube-scheduler', string[]> = {
  'kube-controller-manager': [],
  'kube-scheduler': [],
};
const names = ['kube-controller-manager', 'kube-scheduler'] as const;

describePinion(
  'kube-controller-manager, kube-scheduler, kubectl and the controller through the gateway',
  (pinion) => {
    const namespace = 'shop';
    let gateway: GatewayProcess;
    let operator: string;
    let restarted: AuditMark;

    /** Returns the kubeconfig of a service account that reaches the API server through the gateway. */
    const throughGateway = async (account: { readonly namespace: string; readonly name: string }): Promise<string> => {
      const { cluster } = pinion();
      const path = `/api/v1/namespaces/${account.namespace}/serviceaccounts/${account.name}/token`;
      const spec = { audiences: [audience], expirationSeconds: 7_200 };
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
      const { body } = expectStatus(await cluster.client.request('POST', path, request), [201]);
      const { token } = (body as { readonly status: { readonly token: string } }).status;
      const port = await gateway.port();
      return gatewayKubeconfig(cluster, { port, authority, token, name: `${account.name}-through` });
    };
    /** Creates a service account that may do everything. */
    const administrator = async (name: string): Promise<{ readonly namespace: string; readonly name: string }> => {
      const { client } = pinion().cluster;
      const account = { namespace: 'kube-system', name };
      const [apiVersion, apiGroup] = ['rbac.authorization.k8s.io/v1', 'rbac.authorization.k8s.io'];
      for (const object of [
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account },
        {
          apiVersion,
          kind: 'ClusterRoleBinding',
          metadata: { name },
          roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
          subjects: [{ kind: 'ServiceAccount', ...account }],
        },
      ])
        expectStatus(await client.apply(object), [200, 201]);
      return account;
    };
    const kubectl = async (args: readonly string[], stdin?: string): Promise<string> => {
      const { code, stdout, stderr } = await pinion().cluster.kubectl(args, stdin, operator);
      if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
      return stdout;
    };
    /**
     * Reads of the servers' informers that came to the API server although a cache has the resource. Lists without a version,
     * as the deletion of a namespace sends, are for the API server.
     */
    const readsBesideCache = (): readonly string[] =>
      pinion()
        .cluster.audit.since(restarted)
        .filter(({ verb, objectRef }) => ['list', 'watch'].includes(verb) && cached.includes(objectRef?.resource ?? ''))
        .filter(({ userAgent = '' }) => names.some((name) => userAgent.startsWith(name)))
        .filter(({ requestURI, verb }) => verb === 'watch' || requestURI.includes('resourceVersion'))
        .map(({ verb, requestURI, userAgent }) => `${userAgent?.split('/')[0]} ${verb} ${requestURI}`);

    beforeAll(async () => {
      const { cluster } = pinion();
      const ownToken = await cluster.serviceAccountToken(gatewayAccount.namespace, gatewayAccount.name);
      gateway = GatewayProcess.start({
        kubeconfig: cluster.kubeconfigFor({ token: ownToken }),
        folder: cluster.folder,
        documents,
        certified: authority.certify(`${gatewayName}.${gatewayName}.svc`, [gatewayAddress, '127.0.0.1']),
      });
      operator = await throughGateway(await administrator('operator'));
      restarted = cluster.audit.mark();
      for (const name of names) {
        flags[name].push(`--kubeconfig=${await throughGateway(await administrator(name))}`);
        await cluster.part(name).kill();
        await cluster.part(name).restart();
      }
      await cluster.ready();
      await pinion().startController({ kubeconfig: await throughGateway(controllerAccount) });
      await pinion().project(namespace);
    }, 3 * minute);
    afterAll(() => gateway.stop(), minute);

    test(
      'a service of the platform becomes Ready',
      async () => {
        const spec = { replicas: 3, loadBalancer: { port: 80, targetPort: 8080 }, template: smallTemplate() };
        await pinion().apply(workloadOf('PinterestService', namespace, 'cart', spec));
        const live = await pinion().ready('PinterestService', namespace, 'cart', minute);
        expect(live.status).toMatchObject({ replicas: 3, readyReplicas: 3 });
        expect(
          await kubectl(['get', 'pods', '-n', namespace, '-l', 'pinterest.com/workload=cart', '-o', 'name']),
        ).toMatch(/^(pod\/cart-\S+\n){3}$/);
        expect(await kubectl(['describe', 'deployment', 'cart', '-n', namespace])).toContain('3 available');
      },
      minute,
    );

    test(
      `native workloads are rolled, scaled, completed and deleted, ${rounds} times`,
      async () => {
        await kubectl(['create', 'namespace', 'native']);
        for (let round = 0; round < rounds; round++) {
          await kubectl(
            ['apply', '-f', '-'],
            JSON.stringify({ apiVersion: 'v1', kind: 'List', items: natives(round) }),
          );
          const rollouts = ['deployment/web', 'statefulset/db'].map((name) =>
            kubectl(['rollout', 'status', name, '-n', 'native', '--timeout=60s']),
          );
          await Promise.all([
            ...rollouts,
            kubectl(['wait', '--for=condition=Complete', 'job/batch', '-n', 'native', '--timeout=60s']),
          ]);
          await kubectl(['scale', 'deployment/web', '-n', 'native', `--replicas=${round % 2 === 0 ? 8 : 3}`]);
          await kubectl(['rollout', 'status', 'deployment/web', '-n', 'native', '--timeout=60s']);
          await kubectl(['delete', 'job/batch', '-n', 'native', '--timeout=60s']);
        }
        const endpoints = await kubectl([
          'get',
          'endpointslices',
          '-n',
          'native',
          '-l',
          'kubernetes.io/service-name=web',
        ]);
        expect(endpoints).toMatch(/web-\S+ +IPv4 +8080/);
        await kubectl(['delete', 'namespace', 'native', '--timeout=120s']);
      },
      rounds * 2 * minute,
    );

    test('their informers of cached resources were answered by the cache', async () => {
      const passedOn = pinion()
        .cluster.audit.since(restarted)
        .filter(({ impersonatedUser }) => impersonatedUser);
      for (const name of names)
        expect(passedOn.filter(({ userAgent = '' }) => userAgent.startsWith(name)).length).toBeGreaterThan(0);
      expect(readsBesideCache()).toEqual([]);
      expect(gateway.lines().filter(({ level }) => level === 'error')).toEqual([]);
    });
  },
  {
    documents,
    withoutController: true,
    controllerManagerFlags: flags['kube-controller-manager'],
    schedulerFlags: flags['kube-scheduler'],
  },
);

/** Resources that the gateway caches by default. */
const cached = ['pods', 'nodes', 'services', 'endpointslices', 'namespaces'];

/** Returns native workloads whose pods are replaced in each round. */
function natives(round: number): readonly object[] {
  const template = (app: string, more: object = {}): object => ({
    metadata: { labels: { app }, annotations: { round: `${round}` } },
    spec: { containers: [{ name: 'app', image: `registry.example.com/app:1.0.${round}` }], ...more },
  });
  const of = (app: string) => ({ matchLabels: { app } });
  const metadata = (name: string): object => ({ name, namespace: 'native' });
  const service = { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] };
  const job = { completions: 2, template: template('batch', { restartPolicy: 'Never' }) };
  return [
    { apiVersion: 'v1', kind: 'Service', metadata: metadata('web'), spec: service },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: metadata('web'),
      spec: { replicas: 4, selector: of('web'), template: template('web') },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: metadata('db'),
      spec: { replicas: 2, serviceName: 'db', selector: of('db'), template: template('db') },
    },
    { apiVersion: 'batch/v1', kind: 'Job', metadata: metadata('batch'), spec: job },
  ];
}
