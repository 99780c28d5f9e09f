import { apiVersion, type ManifestInput, type WorkloadKind } from '../../lib/api';
import { controllerName, controllerUser, defaultPlatform, defaultProfile, installManifests } from '../../lib/expand';
import { type ApiResponse, expectStatus, messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { smallTemplate, workloadOf } from './pinion-suite';

const image = 'registry.example.com/pinion/controller:1.0.0';
const administrators = ['system:masters', 'oidc:platform-team'];
const platform: ManifestInput<'Platform'> = { ...defaultPlatform, spec: { ...defaultPlatform.spec, administrators } };
const controller = controllerUser(controllerName);
const collector = 'system:serviceaccount:kube-system:generic-garbage-collector';
const deployer = 'system:serviceaccount:shop:deployer';
const node = 'system:node:worker-1';
const kube = (name: string): string => `system:serviceaccount:kube-system:${name}`;
/** RBAC allows all of them everything, so that only admission policies decide. */
const users = [
  { name: 'olga', groups: ['oidc:platform-team'] },
  { name: 'mallory', groups: ['oidc:shop-admins', 'oidc:platform-team-guests'] },
  { name: controller, groups: ['system:serviceaccounts', `system:serviceaccounts:${controllerName}`] },
  ...['generic-garbage-collector', 'replicaset-controller', 'deployment-controller', 'ingress-nginx'].map((name) => ({
    name: kube(name),
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system'],
  })),
  { name: deployer, groups: ['system:serviceaccounts', 'system:serviceaccounts:shop'] },
  { name: 'system:serviceaccount:bank:deployer', groups: ['system:serviceaccounts', 'system:serviceaccounts:bank'] },
  { name: node, groups: ['system:nodes'] },
];

/** The API server reports one of the policies that reject a request, in no fixed order. */
const protectedOrHosts = /are protected|'ingress-hosts\.pinterest\.com'/;

const projectOf = (name: string, spec: object = {}) =>
  ({ apiVersion, kind: 'Project', metadata: { name }, spec: { team: 'shop', ...spec } }) as SendableObject;

const appImage = `registry.example.com/app@sha256:${'a'.repeat(64)}`;
const { spec: podSpec } = smallTemplate();
const template = { spec: { ...podSpec, containers: [{ name: 'app', image: appImage }] } };
const metadata = { name: 'cart', namespace: 'shop' };
const selector = { matchLabels: { app: 'cart' } };
const podTemplate = { metadata: { labels: { app: 'cart' } }, spec: { containers: [{ name: 'app', image: 'app' }] } };
const jobTemplate = { spec: { ...podTemplate.spec, restartPolicy: 'Never' } };
const native = (version: string, kind: string, body: object) =>
  ({ apiVersion: version, kind, metadata, ...body }) as unknown as SendableObject;
const rbac = 'rbac.authorization.k8s.io';
/** One object of each native kind that a protected project guards. */
const podObjects: readonly SendableObject[] = [
  native('v1', 'ServiceAccount', { automountServiceAccountToken: false }),
  native('v1', 'Pod', {
    spec: { ...podTemplate.spec, serviceAccountName: 'cart', automountServiceAccountToken: false },
  }),
  native('v1', 'ReplicationController', { spec: { selector: { app: 'cart' }, template: podTemplate } }),
  native('v1', 'PodTemplate', { template: podTemplate }),
  native('v1', 'Service', { spec: { ports: [{ port: 80 }], selector: { app: 'cart' } } }),
  native('v1', 'ResourceQuota', { spec: { hard: { 'count/secrets': '100' } } }),
  native('v1', 'LimitRange', { spec: { limits: [] } }),
  native('apps/v1', 'Deployment', { spec: { selector, template: podTemplate } }),
  native('apps/v1', 'ReplicaSet', { spec: { selector, template: podTemplate } }),
  native('apps/v1', 'StatefulSet', { spec: { selector, template: podTemplate } }),
  native('apps/v1', 'DaemonSet', { spec: { selector, template: podTemplate } }),
  native('apps/v1', 'ControllerRevision', { revision: 1, data: {} }),
  native('batch/v1', 'Job', { spec: { template: jobTemplate } }),
  native('batch/v1', 'CronJob', { spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template: jobTemplate } } } }),
  native('autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'cart' } },
  }),
  native('policy/v1', 'PodDisruptionBudget', { spec: { selector, maxUnavailable: 1 } }),
  native('networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: selector, policyTypes: ['Ingress'] } }),
  native('networking.k8s.io/v1', 'Ingress', {
    spec: { defaultBackend: { service: { name: 'cart', port: { number: 80 } } } },
  }),
  native(`${rbac}/v1`, 'Role', { rules: [] }),
  native(`${rbac}/v1`, 'RoleBinding', {
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: rbac, kind: 'User', name: 'mallory' }],
  }),
];
/** One workload of each kind. */
const workloads = {
  PinterestService: workloadOf('PinterestService', 'shop', 'cart', { template }),
  PinterestStatefulSet: workloadOf('PinterestStatefulSet', 'shop', 'cart', { template }),
  PinterestJobSet: workloadOf('PinterestJobSet', 'shop', 'cart', { shards: 1, template }),
  PinterestCronJob: workloadOf('PinterestCronJob', 'shop', 'cart', { schedule: '0 3 * * *', template }),
  PinterestTrainingJob: workloadOf('PinterestTrainingJob', 'shop', 'cart', {
    framework: 'pytorch',
    roles: { worker: { replicas: 1 } },
    template,
  }),
  PinterestDaemon: workloadOf('PinterestDaemon', 'shop', 'cart', { template }),
} satisfies { readonly [K in WorkloadKind]: ManifestInput<K> };

describeControlPlane(
  'guarded writes',
  (controlPlane) => {
    const as = (user: string) => controlPlane().as(user);
    const change = async (
      user: string,
      object: SendableObject,
      patch: object,
      subresource = '',
    ): Promise<ApiResponse> => {
      const path = `${await as(user).discovery.objectPath(object)}${subresource}`;
      return as(user).request('PATCH', path, patch, { dryRun: true, contentType: 'application/merge-patch+json' });
    };
    const refused = (response: ApiResponse, text: string | RegExp): void =>
      expect([response.status, messageOf(response)]).toEqual([
        403,
        typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text),
      ]);

    beforeAll(async () => {
      const { client } = controlPlane();
      for (const object of installManifests({ image, documents: [platform, defaultProfile] })) {
        if (object.kind === 'CustomResourceDefinition') await client.createCrd(object as SendableObject);
        else expectStatus(await client.apply(object as SendableObject), [200, 201]);
      }
      expectStatus(
        await client.apply({
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRoleBinding',
          metadata: { name: 'everyone' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
          subjects: users.map(({ name }) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name })),
        } as SendableObject),
        [201],
      );
      expectStatus(await client.apply(projectOf('shop')), [201]);
      await client.waitFor('the policies to be in force', async () => {
        const response = await as('mallory').create(projectOf('probe'), { dryRun: true });
        return response.status === 403 && messageOf(response).includes('platform-writes');
      });
    }, 120_000);

    describe('platform resources', () => {
      const profile = { ...defaultProfile, metadata: { name: 'default-2' } } as SendableObject;

      test.each([
        ['create a Project', 'POST', projectOf('bank')],
        ['create a RuntimeProfile', 'POST', profile],
        ['delete a Project', 'DELETE', projectOf('shop')],
        ['delete the Platform', 'DELETE', platform as SendableObject],
      ])('only administrators may %s', async (_, method, object) => {
        const send = async (user: string) => {
          const { discovery } = as(user);
          return method === 'POST'
            ? as(user).create(object, { dryRun: true })
            : as(user).request('DELETE', await discovery.objectPath(object), undefined, { dryRun: true });
        };
        refused(await send('mallory'), 'user mallory is in none of the groups that may write platform resources');
        refused(await send(controller), 'is in none of the groups');
        expect([200, 201]).toContain((await send('olga')).status);
      });

      test('only administrators may change members, the Platform, or their own group', async () => {
        const members = { spec: { members: [{ kind: 'User', name: 'mallory', role: 'admin' }] } };
        refused(await change('mallory', projectOf('shop'), members), 'oidc:platform-team');
        refused(await change(controller, projectOf('shop'), members), 'oidc:platform-team');
        expect((await change('olga', projectOf('shop'), members)).status).toBe(200);
        const takeOver = { spec: { administrators: ['oidc:shop-admins'] } };
        refused(await change('mallory', platform as SendableObject, takeOver), 'in none of the groups');
        refused(await change('olga', platform as SendableObject, takeOver), 'must keep a group of the user');
      });

      test('the controller writes only the project of node-level parts', async () => {
        const parts = projectOf('pinion-system', { infrastructure: true, podSecurity: 'privileged' });
        expect((await as(controller).create(parts, { dryRun: true })).status).toBe(201);
        for (const spec of [
          { members: [{ kind: 'User', name: 'mallory', role: 'admin' }] },
          { stages: [{ name: 'production' }] },
          { adopt: true },
        ])
          refused(
            await as(controller).create(projectOf('pinion-system', spec), { dryRun: true }),
            'none of the groups',
          );
      });

      test('the garbage collector may delete', async () => {
        const path = await as(collector).discovery.objectPath(projectOf('shop'));
        expect((await as(collector).request('DELETE', path, undefined, { dryRun: true })).status).toBe(200);
      });

      test.each([controllerName, 'kube-system', 'default'])('no Project adopts the namespace %s', async (name) => {
        const response = await as('admin').create(projectOf(name, { adopt: true }), { dryRun: true });
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(messageOf(response)).toMatch(/choose another name|reserved/);
      });
    });

    describe('status', () => {
      const status = { status: { phase: 'Ready' } };

      beforeAll(async () => {
        await controlPlane().client.ensureNamespace('shop');
        for (const workload of Object.values(workloads))
          expectStatus(
            await controlPlane().client.apply({
              ...workload,
              metadata: { ...workload.metadata, labels: { 'pinterest.com/stage': 'production' } },
            } as unknown as SendableObject),
            [201],
          );
      });

      test.each([...Object.values(workloads), projectOf('shop'), platform, defaultProfile])(
        'of a $kind is written by the controller only',
        async (object) => {
          for (const user of ['mallory', 'olga'])
            refused(
              await change(user, object as SendableObject, status, '/status'),
              "only pinion's controller writes the status",
            );
          const accepted = await change(controller, object as SendableObject, status, '/status');
          expect(messageOf(accepted)).not.toContain('status-writes');
          expect([200, 422]).toContain(accepted.status);
        },
      );
    });

    describe('a protected project', () => {
      const forged = {
        'pinterest.com/artifact': 'shop/web@1',
        'pinterest.com/artifact-digest': 'sha256:0',
        'pinterest.com/deployment-sequence': '999',
      };
      const stolen = Object.values(workloads).map((workload) => ({
        ...workload,
        metadata: { ...metadata, name: 'forged', labels: { 'pinterest.com/stage': 'production' }, annotations: forged },
      }));
      const stored = (workload: object, user: string, patch: object): Promise<ApiResponse> =>
        change(user, workload as SendableObject, patch);

      beforeAll(async () => {
        const { client } = controlPlane();
        const accounts = [
          { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'deployer', namespace: 'shop' } },
        ];
        for (const object of [...accounts, ...podObjects])
          expectStatus(await client.apply(object as SendableObject), [200, 201]);
        expectStatus(
          await client.apply({
            apiVersion: 'v1',
            kind: 'Namespace',
            metadata: {
              name: 'shop',
              labels: { 'pinterest.com/protected': 'true', 'app.kubernetes.io/managed-by': 'pinion' },
              annotations: { 'pinterest.com/stages': 'production' },
            },
          } as SendableObject),
          [200],
        );
        await client.waitFor('the project to be protected', async () => {
          const response = await as('mallory').create(stolen[0] as SendableObject, { dryRun: true });
          return response.status === 403;
        });
      });

      test.each(stolen)('rejects an unsigned $kind with forged annotations', async (workload) => {
        const create = (user: string) => as(user).create(workload as SendableObject, { dryRun: true });
        refused(await create('mallory'), 'its stages on this cluster (production) are protected');
        refused(await create('system:serviceaccount:bank:deployer'), 'are protected');
        for (const user of [deployer, 'olga', 'admin'])
          expect([user, (await create(user)).status]).toEqual([user, 201]);
      });

      test.each(Object.values(workloads))('rejects changes to a $kind, but not a restart', async (workload) => {
        const restart = { metadata: { annotations: { 'pinterest.com/restarted-at': '2026-01-01T00:00:00Z' } } };
        for (const patch of [
          { metadata: { annotations: { ...restart.metadata.annotations, ...forged } } },
          { metadata: { annotations: forged } },
          { metadata: { labels: { 'pinterest.com/workflow': 'web' } } },
          { metadata: { finalizers: ['example.com/kept'] } },
          { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'b' }] } },
          { spec: { version: '666' } },
        ])
          refused(await stored(workload, 'mallory', patch), 'are protected');
        expect((await stored(workload, 'mallory', restart)).status).toBe(200);
        const path = await as('mallory').discovery.objectPath(workload as SendableObject);
        refused(await as('mallory').request('DELETE', path, undefined, { dryRun: true }), 'are protected');
        expect((await as(collector).request('DELETE', path, undefined, { dryRun: true })).status).toBe(200);
      });

      test.each(podObjects.map((object) => [object.kind, object] as const))(
        'rejects writes of a %s by members',
        async (_, object) => {
          const { metadata, ...rest } = object as unknown as { metadata: { name: string; namespace: string } };
          const another = { ...rest, metadata: { ...metadata, name: 'another' } } as unknown as SendableObject;
          const label = { metadata: { labels: { changed: 'yes' } } };
          const guard = object.kind === 'Ingress' ? protectedOrHosts : 'are protected';
          for (const user of ['mallory', deployer, 'system:serviceaccount:kube-system:ingress-nginx']) {
            refused(await as(user).create(another, { dryRun: true }), guard);
            refused(await change(user, object, label), guard);
            const path = await as(user).discovery.objectPath(object);
            const deleted = await as(user).request('DELETE', path, undefined, { dryRun: true });
            if (object.kind === 'Pod') expect(deleted.status).toBe(200);
            else refused(deleted, guard);
          }
          if (object.kind === 'ControllerRevision') refused(await change(controller, object, label), 'but its records');
          else expect((await change(controller, object, label)).status).toBe(200);
          for (const user of [kube('deployment-controller'), 'olga'])
            expect([user, (await change(user, object, label)).status]).toEqual([user, 200]);
        },
      );

      test('rejects ephemeral containers, tokens and forged status of native objects', async () => {
        const pod = podObjects.find(({ kind }) => kind === 'Pod') as SendableObject;
        const container = { name: 'shell', image: 'busybox' };
        refused(
          await change('mallory', pod, { spec: { ephemeralContainers: [container] } }, '/ephemeralcontainers'),
          'are protected',
        );
        const deployment = podObjects.find(({ kind }) => kind === 'Deployment') as SendableObject;
        refused(
          await change('mallory', deployment, { status: { replicas: 1, readyReplicas: 1 } }, '/status'),
          'are protected',
        );
        refused(await change('mallory', deployment, { spec: { replicas: 7 } }, '/scale'), 'are protected');
        const tokens = '/api/v1/namespaces/shop/serviceaccounts/cart/token';
        const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [] } };
        refused(await as('mallory').request('POST', tokens, request), 'are protected');
      });

      test('leaves members their own ConfigMaps, and add-ons their annotations and finalizers', async () => {
        const [own, managed] = [{}, { labels: { 'app.kubernetes.io/managed-by': 'pinion' } }].map(
          (metadata, index) => ({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: `settings-${index}`, namespace: 'shop', ...metadata },
          }),
        ) as [SendableObject, SendableObject];
        expect((await as('mallory').create(own, { dryRun: true })).status).toBe(201);
        refused(await as('mallory').create(managed, { dryRun: true }), 'are protected');
        expect((await as(controller).create(managed, { dryRun: true })).status).toBe(201);
        const addOn = kube('ingress-nginx');
        const [pod, ingress] = ['Pod', 'Ingress'].map((wanted) => podObjects.find(({ kind }) => kind === wanted)) as [
          SendableObject,
          SendableObject,
        ];
        const annotate = (key: string) => ({ metadata: { annotations: { [key]: 'x' } } });
        expect((await change(addOn, pod, annotate('cni.example.com/pod-ip'))).status).toBe(200);
        refused(await change(addOn, pod, annotate('pinterest.com/artifact')), 'are protected');
        refused(await change(addOn, pod, annotate('link.pinterest.com/docs')), 'are protected');
        expect((await change(addOn, ingress, { metadata: { finalizers: ['lb.example.com/kept'] } })).status).toBe(200);
        refused(await change(addOn, ingress, annotate('nginx.ingress.kubernetes.io/server-snippet')), protectedOrHosts);
      });

      test('no pod uses the account of deployments', async () => {
        const { spec, ...pod } = podObjects.find(({ kind }) => kind === 'Pod') as unknown as {
          spec: object;
          metadata: object;
        };
        const asDeployer = {
          ...pod,
          metadata: { name: 'runner', namespace: 'shop' },
          spec: { ...spec, serviceAccountName: 'deployer' },
        };
        refused(
          await as(kube('replicaset-controller')).create(asDeployer as unknown as SendableObject, { dryRun: true }),
          'account of deployments',
        );
      });
    });
  },
  { users },
);
