import {
  apiVersion,
  parseManifest,
  type ManifestInput,
  type PlatformKind,
  type PlatformManifest,
  type Workload,
} from '../../../lib/api';
import { defaultPlatform, defaultProfile, expand, expandPlatform, resolvePlatform } from '../../../lib/expand';
import { type ApiResponse, expectStatus, messageOf } from '../../control-plane/api-response';
import { type Client, type SendableObject } from '../../control-plane/client';
import { describeControlPlane } from '../../control-plane/suite';
import { installPinion } from '../../local/install-pinion';
import { applyAll, createProject } from '../cluster-setup';

type Stage = 'Off' | 'Observe' | 'Enforce';
type Fields = Readonly<Record<string, unknown>>;

const apiServerAudience = 'https://kubernetes.default.svc';
const gateway = {
  address: '10.96.0.20',
  certificateAuthority: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
  directProjects: ['ci'],
};
const platformAt = (stage: Stage): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: { ...defaultPlatform.spec, breakGlass: ['on-call'], gateway: { ...gateway, stage } },
});
const projectOf = (name: string, infrastructure = false): ManifestInput<'Project'> => ({
  apiVersion,
  kind: 'Project',
  metadata: { name },
  spec: { team: name, infrastructure },
});
const projects = [projectOf('shop'), projectOf('ci'), projectOf('agents', true)];
const documents: readonly ManifestInput<PlatformKind>[] = [defaultProfile, platformAt('Off'), ...projects];
/** Namespaces whose pods keep their direct access. */
const exempt = ['ci', 'agents', 'kube-system', 'default', 'pinion-controller'];

/** Identity of the tests in every namespace, with all that Kubernetes' role `edit` has. */
const editor = { user: 'ana', groups: ['developers'] };
const onCall = { user: 'bo', groups: ['on-call'] };
const kubelet = { user: 'system:node:node-1', groups: ['system:nodes'] };
const rbac = 'rbac.authorization.k8s.io';
const editorRole = [
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'like-edit' },
    rules: [
      { apiGroups: [''], resources: ['pods', 'secrets', 'serviceaccounts/token'], verbs: ['create', 'update', 'get'] },
    ],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'like-edit' },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'like-edit' },
    subjects: ['developers', 'on-call', 'system:nodes'].map((name) => ({ apiGroup: rbac, kind: 'Group', name })),
  },
];

const securityContext = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const container = (name: string, more: Fields = {}) => ({
  name,
  image: 'registry.example.com/app:1.0.0',
  securityContext,
  ...more,
});
const pod = (namespace: string, spec: Fields = {}): SendableObject & { spec: object } => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'native', namespace },
  spec: {
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [container('app')],
    ...spec,
  },
});
const ownToken = (namespace: string, token: Fields): SendableObject =>
  pod(namespace, {
    automountServiceAccountToken: false,
    volumes: [{ name: 'own', projected: { sources: [{ serviceAccountToken: { path: 'token', ...token } }] } }],
  });
const legacySecret = (namespace: string): SendableObject =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'legacy', namespace, annotations: { 'kubernetes.io/service-account.name': 'default' } },
    type: 'kubernetes.io/service-account-token',
  }) as SendableObject;

interface Pod {
  readonly spec: {
    readonly containers: readonly {
      readonly name: string;
      readonly env?: readonly { name: string; value: string }[];
    }[];
    readonly initContainers?: Pod['spec']['containers'];
    readonly volumes?: readonly {
      readonly name: string;
      readonly projected?: { readonly sources: readonly Fields[] };
    }[];
  };
}
const podIn = (response: ApiResponse): Pod['spec'] => (expectStatus(response, [201]).body as Pod).spec;
const tokenSourcesOf = ({ volumes = [] }: Pod['spec']): readonly Fields[] =>
  volumes.flatMap(({ projected }) => projected?.sources ?? []);
const variablesOf = ({ containers, initContainers = [] }: Pod['spec']): Readonly<Record<string, Fields>> =>
  Object.fromEntries(
    [...initContainers, ...containers].map(({ name, env = [] }) => [
      name,
      Object.fromEntries(env.map((one) => [one.name, one.value])),
    ]),
  );
const address = { KUBERNETES_SERVICE_HOST: '10.96.0.20', KUBERNETES_SERVICE_PORT: '443' };

describeControlPlane(
  'enforcement of the gateway',
  (controlPlane) => {
    const as = (identity: { user: string; groups: readonly string[] }): Client =>
      controlPlane().withToken(controlPlane().tokenOf('admin'), identity);
    const create = (object: SendableObject, client = as(editor)): Promise<ApiResponse> =>
      client.create(object, { dryRun: true });
    const requestToken = (
      namespace: string,
      audiences?: readonly string[],
      client = as(editor),
    ): Promise<ApiResponse> =>
      client.request('POST', `/api/v1/namespaces/${namespace}/serviceaccounts/default/token`, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: audiences ? { audiences } : {},
      });
    const contextAt = (stage: Stage) =>
      resolvePlatform(
        [defaultProfile, platformAt(stage), ...projects].map((document) =>
          parseManifest(document),
        ) as PlatformManifest[],
      );
    /** Sets the stage, and whether the platform controller has confirmed that nothing prevents the refusal. */
    async function setStage(stage: Stage, enforced = false): Promise<void> {
      const { client } = controlPlane();
      expectStatus(await client.apply(platformAt(stage) as SendableObject), [200, 201]);
      const cluster = contextAt(stage);
      for (const { metadata } of projects) await createProject(client, cluster.project(metadata.name).project, cluster);
      const path = '/apis/pinterest.com/v1/platforms/cluster/status';
      const contentType = 'application/merge-patch+json';
      expectStatus(await client.request('PATCH', path, { status: { gateway: { enforced } } }, { contentType }), [200]);
    }
    const isRefused = async (response: Promise<ApiResponse>): Promise<boolean> =>
      (await response).status === 422 || (await response).status === 403;
    /** Waits until the policies have seen the Platform. */
    const untilLed = (isLed: boolean) =>
      controlPlane().client.waitFor(`pods ${isLed ? '' : 'not '}to be led to the gateway`, async () => {
        const sources = tokenSourcesOf(podIn(await create(pod('shop'))));
        return JSON.stringify(sources).includes('pinion-gateway') === isLed;
      });
    const untilRefused = () =>
      controlPlane().client.waitFor('tokens to be refused', () => isRefused(requestToken('shop')));

    /** Ways around the gateway: what, which policy, and a request. */
    const bypasses: readonly (readonly [string, string, () => Promise<ApiResponse>])[] = [
      ['a pod with a token of its own', 'direct-pods', () => create(ownToken('shop', {}))],
      [
        'a pod with a token of its own for the API server by name',
        'direct-pods',
        () => create(ownToken('shop', { audience: apiServerAudience })),
      ],
      ['a token on request', 'direct-tokens', () => requestToken('shop')],
      ['a token on request by name', 'direct-tokens', () => requestToken('shop', ['vault', apiServerAudience])],
      ['a token in a Secret', 'direct-secrets', () => create(legacySecret('shop'))],
    ];
    /** What needs no gateway, or uses it. */
    const harmless: readonly (readonly [string, () => Promise<ApiResponse>])[] = [
      ['a token for another server', () => requestToken('shop', ['vault'])],
      ['a token for the gateway', () => requestToken('shop', ['pinion-gateway'])],
      ['a pod with a token for another server', () => create(ownToken('shop', { audience: 'vault' }))],
      ['a pod with a token for the gateway', () => create(ownToken('shop', { audience: 'pinion-gateway' }))],
    ];

    beforeAll(async () => {
      const { client } = controlPlane();
      await installPinion(controlPlane(), documents);
      await applyAll(client, editorRole);
      const cluster = contextAt('Off');
      await applyAll(client, expandPlatform(cluster));
      for (const { metadata } of projects) await createProject(client, cluster.project(metadata.name).project, cluster);
      for (const namespace of ['shop', ...exempt]) {
        if (!projects.some(({ metadata }) => metadata.name === namespace)) await client.ensureNamespace(namespace);
        expectStatus(
          await client.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } }),
          [200, 201],
        );
      }
      await client.waitFor('roles to be read', async () => (await create(pod('shop'))).status === 201);
    }, 120_000);

    test('every project has the authority of the gateway', async () => {
      const { body } = await controlPlane().client.get({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'pinion-gateway-ca', namespace: 'shop' },
      });
      expect(body).toMatchObject({ data: { 'ca.crt': gateway.certificateAuthority } });
    });

    test('the API server bounds service accounts that send requests to it, but not those of pinion', async () => {
      const { client } = controlPlane();
      const requestsOf = async (schema: string): Promise<number> => {
        const { body } = expectStatus(await client.request('GET', '/metrics'), [200]);
        const counter = new RegExp(
          `^apiserver_flowcontrol_dispatched_requests_total[{]flow_schema="${schema}".* ([0-9]+)$`,
          'm',
        );
        return Number(counter.exec(String(body))?.[1] ?? 0);
      };
      for (const [namespace, schema] of [
        ['shop', 'pinion-clients'],
        ['pinion-controller', 'pinion-programs'],
        ['kube-system', 'kube-system-service-accounts'],
      ] as const) {
        const own = controlPlane().withToken(await controlPlane().serviceAccountToken(namespace, 'default'));
        await client.waitFor(`a request of ${namespace} in ${schema}`, async () => {
          const before = await requestsOf(schema);
          await own.request('GET', '/api/v1/namespaces/shop/pods');
          return (await requestsOf(schema)) > before;
        });
      }
    });

    test('Off leaves pods as they are', async () => {
      const spec = podIn(await create(pod('shop')));
      expect(tokenSourcesOf(spec)).toContainEqual({ serviceAccountToken: { expirationSeconds: 3607, path: 'token' } });
      expect(variablesOf(spec)).toEqual({ app: {} });
      expect((await requestToken('shop')).status).toBe(201);
    });

    describe('Observe', () => {
      beforeAll(async () => {
        await setStage('Observe');
        await untilLed(true);
      });

      test('leads an unmodified pod to the gateway', async () => {
        const spec = podIn(
          await create(
            pod('shop', {
              initContainers: [container('first'), container('sidecar', { restartPolicy: 'Always' })],
              containers: [
                container('app', { env: [{ name: 'MODE', value: 'fast' }] }),
                container('own', { env: [{ name: 'KUBERNETES_SERVICE_HOST', value: '127.0.0.1' }] }),
              ],
              volumes: [{ name: 'data', emptyDir: {} }],
            }),
          ),
        );
        expect(tokenSourcesOf(spec)).toEqual([
          { serviceAccountToken: { audience: 'pinion-gateway', expirationSeconds: 3607, path: 'token' } },
          { configMap: { name: 'pinion-gateway-ca', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          {
            downwardAPI: {
              items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
            },
          },
        ]);
        expect(variablesOf(spec)).toEqual({
          first: address,
          sidecar: address,
          app: { MODE: 'fast', ...address },
          own: { KUBERNETES_SERVICE_HOST: '127.0.0.1' },
        });
      });

      test('leaves a pod without a token as it is', async () => {
        const spec = podIn(await create(pod('shop', { automountServiceAccountToken: false })));
        expect([tokenSourcesOf(spec), variablesOf(spec)]).toEqual([[], { app: {} }]);
      });

      test.each(exempt)('leaves pods in %s as they are', async (namespace) => {
        const spec = podIn(await create(pod(namespace), controlPlane().client));
        expect(JSON.stringify(tokenSourcesOf(spec))).not.toContain('pinion-gateway');
        expect(variablesOf(spec)).toEqual({ app: {} });
      });

      test.each(bypasses)('admits %s, and reports who uses it', async (_, policy, send) => {
        const { audit } = controlPlane();
        const mark = audit.mark();
        const { warnings } = expectStatus(await send(), [201]);
        expect(warnings.join()).toContain(`${policy}-reported.pinterest.com`);
        const failures = audit
          .since(mark)
          .map(({ annotations = {} }) => annotations['validation.policy.admission.k8s.io/validation_failure'])
          .filter((failure) => failure !== undefined);
        expect(failures).toEqual([expect.stringContaining(`${policy}-reported.pinterest.com`)]);
      });

      test.each(harmless)('reports nothing about %s', async (_, send) => {
        expect(expectStatus(await send(), [201]).warnings.join()).not.toContain('-reported');
      });
    });

    test('Enforce refuses nothing until the controller has confirmed it', async () => {
      await setStage('Enforce');
      await controlPlane().client.waitFor('the stage to be read', async () => {
        const { warnings } = await requestToken('shop');
        return warnings.join().includes('direct-tokens-reported');
      });
      expect((await requestToken('shop')).status).toBe(201);
    });

    describe('Enforce', () => {
      beforeAll(async () => {
        await setStage('Enforce', true);
        await untilRefused();
      });

      test('leads unmodified pods to the gateway, and admits them', async () => {
        const spec = podIn(await create(pod('shop')));
        expect(variablesOf(spec)).toEqual({ app: address });
      });

      test.each(bypasses)('refuses %s', async (_, policy, send) => {
        const response = await send();
        expect([response.status, messageOf(response)]).toEqual([
          403,
          expect.stringMatching(new RegExp(`'${policy}\\.pinterest\\.com'.*spec\\.gateway\\.directProjects`)),
        ]);
      });

      test.each(harmless)('admits %s', async (_, send) => {
        expect(messageOf(await send())).not.toContain('denied');
        expect((await send()).status).toBe(201);
      });

      test.each(exempt)('admits direct access in %s', async (namespace) => {
        const admin = controlPlane().client;
        expect((await create(pod(namespace), namespace.startsWith('ci') ? as(editor) : admin)).status).toBe(201);
        expect((await create(ownToken(namespace, {}))).status).toBe(201);
        expect((await requestToken(namespace)).status).toBe(201);
      });

      test('admits direct access by kubelets, administrators, and those who repair in an emergency', async () => {
        expect((await requestToken('shop', undefined, as(kubelet))).status).toBe(201);
        for (const client of [controlPlane().client, as(onCall)]) {
          expect((await requestToken('shop', undefined, client)).status).toBe(201);
          expect((await create(ownToken('shop', {}), client)).status).toBe(201);
          expect((await create(legacySecret('shop'), client)).status).toBe(201);
        }
      });

      test('a kubelet gets no pod admitted with a token for the API server', async () => {
        expect((await create(ownToken('shop', {}), as(kubelet))).status).toBe(403);
      });

      test('no role of a project lets its members act as a service account', async () => {
        const { client } = controlPlane();
        const subjects = [{ apiGroup: rbac, kind: 'User', name: 'eve' }];
        const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: 'pinion-project-admin' };
        const binding = { apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata: { name: 'eve', namespace: 'shop' } };
        expectStatus(await client.apply({ ...binding, roleRef, subjects } as SendableObject), [200, 201]);
        const kubeconfig = controlPlane().kubeconfigFor({ token: controlPlane().tokenOf('eve') });
        await client.waitFor('the role to be bound', async () => {
          const { code } = await controlPlane().kubectl(['get', 'pods', '-n', 'shop'], '', kubeconfig);
          return code === 0;
        });
        const account = '--as=system:serviceaccount:shop:default';
        const { code, stderr } = await controlPlane().kubectl(['get', 'pods', '-n', 'shop', account], '', kubeconfig);
        expect([code, stderr]).toEqual([1, expect.stringContaining('cannot impersonate')]);
      });

      test('a workload of ours with apiAccess: Gateway is admitted as it is', async () => {
        const cluster = resolvePlatform(
          documents.map((document) =>
            parseManifest(document.kind === 'Platform' ? platformAt('Enforce') : document),
          ) as PlatformManifest[],
        );
        const workload = parseManifest({
          apiVersion,
          kind: 'PinterestService',
          metadata: { name: 'indexer', namespace: 'shop' },
          spec: {
            apiAccess: 'Gateway',
            template: {
              spec: {
                securityContext: { runAsUser: 1000 },
                containers: [{ name: 'app', image: 'registry.example.com/app:1.0.0' }],
              },
            },
          },
        }) as Workload;
        const objects = expand(workload, cluster.project('shop'));
        const deployment = objects.find(({ kind }) => kind === 'Deployment') as unknown as {
          spec: { template: { metadata: object; spec: Fields } };
        };
        for (const object of objects.filter(({ kind }) => kind === 'ServiceAccount'))
          expectStatus(
            await controlPlane().client.apply({
              ...object,
              metadata: { ...object.metadata, namespace: 'shop' },
            } as SendableObject),
            [200, 201],
          );
        await applyAll(
          controlPlane().client,
          expandPlatform(cluster).filter(({ kind }) => kind === 'PriorityClass'),
        );
        const { metadata, spec } = deployment.spec.template;
        const sent = {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { ...metadata, name: 'indexer', namespace: 'shop' },
          spec,
        } as SendableObject;
        const admitted = podIn(await create(sent));
        expect(tokenSourcesOf(admitted)).toContainEqual({
          serviceAccountToken: { audience: 'pinion-gateway', expirationSeconds: 3607, path: 'token' },
        });
        expect(variablesOf(admitted)['app']).toMatchObject(address);
      });
    });

    test.each([
      ['Gateway', 'shop', 201],
      ['Direct', 'shop', 403],
      ['Direct', 'ci', 201],
      ['Direct', 'agents', 201],
      [true, 'shop', 201],
      [false, 'shop', 201],
    ])('apiAccess: %p in %s is answered with %p', async (apiAccess, namespace, status) => {
      const template = { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.0.0' }] } };
      const metadata = { name: 'indexer', namespace };
      const workload = { apiVersion, kind: 'PinterestService', metadata, spec: { apiAccess, template } };
      // The API server compiles the policies of the kinds some time after it stores them.
      await controlPlane().client.waitFor('the policies of workloads', async () => {
        const spec = { apiAccess, template, tier: 'unknown' };
        return (await create({ ...workload, spec } as SendableObject, controlPlane().client)).status === 403;
      });
      const response = await create(workload as SendableObject, controlPlane().client);
      expect([response.status, messageOf(response)]).toEqual([
        status,
        status === 403
          ? expect.stringContaining('spec.apiAccess: is not available to this project')
          : expect.any(String),
      ]);
    });

    test('Off ends it at once', async () => {
      await setStage('Off', true);
      await untilLed(false);
      await controlPlane().client.waitFor(
        'tokens to be issued',
        async () => (await requestToken('shop')).status === 201,
      );
    });
  },
  { users: [{ name: 'eve' }] },
);
