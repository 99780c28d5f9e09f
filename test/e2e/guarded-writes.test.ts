import { apiVersion, type ManifestInput, type WorkloadKind } from '../../lib/api';
import { controllerName, controllerUsers, defaultPlatform, defaultProfile, installManifests } from '../../lib/expand';
import { type ApiResponse, expectStatus, messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { smallTemplate, workloadOf } from './pinion-suite';

const image = 'registry.example.com/pinion/controller:1.0.0';
const administrators = ['system:masters', 'oidc:platform-team'];
const platform: ManifestInput<'Platform'> = {
  ...defaultPlatform,
  spec: { ...defaultPlatform.spec, administrators, breakGlass: ['oidc:oncall'] },
};
/** Annotations of the namespaces of projects from which policies know the Platform. */
const platformFacts = {
  'pinterest.com/administrators': administrators.join(' '),
  'pinterest.com/default-priority': '100000',
  'pinterest.com/open-tiers': 'standard,batch,best-effort',
};
const { workloads: controller, platform: platformController } = controllerUsers(controllerName);
const collector = 'system:serviceaccount:kube-system:generic-garbage-collector';
const deployer = 'system:serviceaccount:shop:deployer';
const node = 'system:node:worker-1';
/** A user name that JSON escapes. */
const quotedName = 'corp\\sam';
const kube = (name: string): string => `system:serviceaccount:kube-system:${name}`;
/** RBAC allows all of them everything, so that only admission policies decide. */
const users = [
  { name: 'olga', groups: ['oidc:platform-team'] },
  { name: 'mallory', groups: ['oidc:shop-admins', 'oidc:platform-team-guests', 'oidc:oncall-guests'] },
  { name: 'rita', groups: ['oidc:oncall'] },
  { name: quotedName, groups: ['oidc:oncall'] },
  ...[controller, platformController].map((name) => ({
    name,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${controllerName}`],
  })),
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
const mergePatch = 'application/merge-patch+json';

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
    spec: {
      ingressClassName: 'internal',
      rules: [
        {
          host: 'cart.shop.apps.example.com',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'cart', port: { number: 80 } } } }],
          },
        },
      ],
    },
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
      return as(user).request('PATCH', path, patch, { dryRun: true, contentType: mergePatch });
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
        for (const user of [controller, platformController]) refused(await send(user), 'is in none of the groups');
        expect([200, 201]).toContain((await send('olga')).status);
      });

      test('only administrators may change members, the Platform, or their own group', async () => {
        const members = { spec: { members: [{ kind: 'User', name: 'mallory', role: 'admin' }] } };
        refused(await change('mallory', projectOf('shop'), members), 'oidc:platform-team');
        for (const user of [controller, platformController])
          refused(await change(user, projectOf('shop'), members), 'oidc:platform-team');
        expect((await change('olga', projectOf('shop'), members)).status).toBe(200);
        const takeOver = { spec: { administrators: ['oidc:shop-admins'] } };
        refused(await change('mallory', platform as SendableObject, takeOver), 'in none of the groups');
        refused(await change('olga', platform as SendableObject, takeOver), 'must keep a group of the user');
      });

      test('the controller of the platform writes only the project of node-level parts', async () => {
        const parts = projectOf('pinion-system', { infrastructure: true, podSecurity: 'privileged' });
        expect((await as(platformController).create(parts, { dryRun: true })).status).toBe(201);
        refused(await as(controller).create(parts, { dryRun: true }), 'none of the groups');
        for (const spec of [
          { members: [{ kind: 'User', name: 'mallory', role: 'admin' }] },
          { stages: [{ name: 'production' }] },
          { adopt: true },
        ])
          refused(
            await as(platformController).create(projectOf('pinion-system', spec), { dryRun: true }),
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

    describe('a tier that preempts others', () => {
      const withClass = (object: SendableObject, name: string): SendableObject => {
        const text = JSON.stringify({ ...object, metadata: { ...metadata, namespace: 'bank' } });
        return JSON.parse(text.replace('"containers"', `"priorityClassName":"${name}","containers"`)) as SendableObject;
      };
      const podOwners = podObjects.filter((object) => JSON.stringify(object).includes('"containers"'));
      const deployment = podOwners.find(({ kind }) => kind === 'Deployment') as SendableObject;
      const critical = withClass(deployment, 'critical');
      const create = (user: string, object: SendableObject) => as(user).create(object, { dryRun: true });

      beforeAll(async () => {
        const { client } = controlPlane();
        const labels = { 'app.kubernetes.io/managed-by': 'pinion', 'pinterest.com/team': 'bank' };
        const account = native('v1', 'ServiceAccount', { automountServiceAccountToken: false });
        for (const object of [
          { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bank', labels, annotations: platformFacts } },
          { ...account, metadata: { ...metadata, namespace: 'bank' } },
          ...['critical', 'standard'].map((name) => ({
            apiVersion: 'scheduling.k8s.io/v1',
            kind: 'PriorityClass',
            metadata: { name },
            value: defaultPlatform.spec.tiers.find((tier) => tier.name === name)?.priority ?? 0,
          })),
          critical,
        ])
          expectStatus(await client.apply(object as SendableObject), [201]);
        await client.waitFor('the namespace and the classes to be known', async () => {
          const answers = await Promise.all(
            ['critical', 'standard'].map((name) => create('mallory', withClass(podOwners[0] as SendableObject, name))),
          );
          return answers[0]?.status === 403 && answers[1]?.status === 201;
        });
      });

      test.each(podOwners.map((object) => [object.kind, object] as const))(
        'is given to a %s by the platform only, unless the Project lists it',
        async (_, object) => {
          const owner = { ...object, metadata: { ...metadata, namespace: 'bank', name: 'another' } } as SendableObject;
          const text = (name: string) => {
            const { metadata: named } = owner;
            return { ...withClass(owner, name), metadata: named } as SendableObject;
          };
          const mallory = await create('mallory', text('critical'));
          refused(mallory, 'critical is not a tier that project bank may take');
          refused(await create('mallory', text('system-node-critical')), 'add it to spec.tiers of the Project');
          expect((await create('mallory', text('standard'))).status).toBe(201);
          // The controller checks workloads itself, and pods of what exists are replaced.
          for (const user of ['olga', controller, kube('replicaset-controller')])
            expect([user, (await create(user, text('critical'))).status]).toEqual([user, 201]);
        },
      );

      test('stays with an object that has it, and cannot be added', async () => {
        expect((await change('mallory', critical, { spec: { replicas: 2 } })).status).toBe(200);
        const another = { spec: { template: { spec: { priorityClassName: 'system-cluster-critical' } } } };
        refused(await change('mallory', critical, another), 'is not a tier that project bank may take');
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
        'of a $kind is written by its controller only',
        async (object) => {
          const isPlatform = !('namespace' in object.metadata);
          const [own, other] = isPlatform ? [platformController, controller] : [controller, platformController];
          for (const user of ['mallory', 'olga', other])
            refused(
              await change(user, object as SendableObject, status, '/status'),
              "only pinion's controller writes the status",
            );
          const accepted = await change(own, object as SendableObject, status, '/status');
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
              annotations: {
                ...platformFacts,
                'pinterest.com/stages': 'production',
                'pinterest.com/hosts': '*.shop.apps.example.com',
              },
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
        // An administrator's change would not be carried out, since it has no proof.
        refused(
          await create('mallory'),
          'deploy with pinion deploy, or in an emergency, let groups of spec.breakGlass of the Platform (oidc:oncall) change it with the annotation pinterest.com/break-glass',
        );
        refused(await create('system:serviceaccount:bank:deployer'), 'are protected');
        for (const user of [deployer, 'olga', 'admin'])
          expect([user, (await create(user)).status]).toEqual([user, 201]);
      });

      test.each(Object.values(workloads))(
        'rejects changes to a $kind, but not a restart or a retry of hooks',
        async (workload) => {
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
          const retry = { metadata: { annotations: { 'pinterest.com/retried-at': '2026-01-01T00:00:00Z' } } };
          expect((await stored(workload, 'mallory', retry)).status).toBe(200);
          const path = await as('mallory').discovery.objectPath(workload as SendableObject);
          refused(await as('mallory').request('DELETE', path, undefined, { dryRun: true }), 'are protected');
          expect((await as(collector).request('DELETE', path, undefined, { dryRun: true })).status).toBe(200);
        },
      );

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
          // The controllers are confined further: they write only Roles, bindings and records of their own.
          const isOwn = !['RoleBinding', 'ControllerRevision'].includes(object.kind);
          const isOfPlatform = ['LimitRange', 'ResourceQuota'].includes(object.kind);
          const writers = isOwn ? [controller, ...(isOfPlatform ? [platformController] : [])] : [];
          if (!isOfPlatform) refused(await change(platformController, object, label), /denied request/);
          for (const user of [...writers, kube('deployment-controller'), 'olga'])
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
        const snippet = await change(addOn, ingress, annotate('nginx.ingress.kubernetes.io/server-snippet'));
        expect(messageOf(snippet)).toMatch(/'(protected-objects|ingress-hosts)[.]pinterest[.]com'/);
      });

      describe('with the annotation of a break-glass change', () => {
        const key = 'pinterest.com/break-glass';
        const hours = (count: number): string => new Date(Date.now() + count * 3_600_000).toISOString();
        const text = (changes: object = {}): string =>
          JSON.stringify({ expires: hours(1), reason: 'checkout is down, INC-4711', user: 'rita', ...changes });
        const patchOf = (value: string | null, spec: object = { version: '6.6.6' }) => ({
          metadata: { annotations: { [key]: value } },
          spec,
        });
        const service = workloads.PinterestService as unknown as SendableObject;
        const started = workloads.PinterestStatefulSet as unknown as SendableObject;
        /** Expects one of both policies: the API server reports only one. */
        const guarded = (response: ApiResponse, text: string, statuses = [403]): void => {
          expect(messageOf(response)).toMatch(
            new RegExp(`'(break-glass|protected-workloads)[.]pinterest[.]com'.*(${text})`),
          );
          expect(statuses).toContain(response.status);
        };
        const none = 'in none of the groups that may set it .oidc:oncall.|are protected';
        const changed = (user: string, value: string | null, spec?: object) =>
          change(user, service, patchOf(value, spec));

        test.each(Object.values(workloads))('a group of spec.breakGlass changes a $kind', async (workload) => {
          expect(await stored(workload, 'rita', patchOf(text()))).toMatchObject({ status: 200 });
          const created = {
            ...workload,
            metadata: {
              ...metadata,
              name: 'new',
              labels: { 'pinterest.com/stage': 'production' },
              annotations: { [key]: text() },
            },
          } as unknown as SendableObject;
          expect(await as('rita').create(created, { dryRun: true })).toMatchObject({ status: 201 });
          guarded(await as('mallory').create(created, { dryRun: true }), none);
        });

        test('a user name is compared as JSON writes it', async () => {
          expect((await changed(quotedName, text({ user: quotedName }))).status).toBe(200);
          guarded(await changed(quotedName, text()), 'user must be corp.sam, who makes this change');
        });

        test.each(['mallory', 'olga', 'admin', deployer, controller, kube('deployment-controller')])(
          '%s may not set it',
          async (user) => {
            guarded(await changed(user, text({ user })), none);
            guarded(await changed(user, text()), none);
            guarded(await changed(user, text({ user }), {}), none);
          },
        );

        test.each<[string, () => string]>([
          ['not JSON', () => 'checkout is down'],
          ['an empty object', () => '{}'],
          ['a space', () => ' '],
          ['spaces between members', () => JSON.stringify(JSON.parse(text()), undefined, 1)],
          [
            'members in another order',
            () => JSON.stringify({ user: 'rita', reason: 'checkout is down', expires: hours(1) }),
          ],
          ['no user', () => text({ user: undefined })],
          ['an empty user', () => text({ user: '' })],
          ['another user', () => text({ user: 'olga' })],
          ['a longer user', () => text({ user: 'x","user":"rita' })],
          ['the user twice', () => text().replace('"user"', '"user":"olga","user"')],
          ['the user within the reason', () => text({ reason: 'checkout","user":"rita"}', user: 'olga' })],
          ['another member', () => text({ zone: 'a' })],
          ['no reason', () => text({ reason: undefined })],
          ['an empty reason', () => text({ reason: '' })],
          ['a short reason', () => text({ reason: 'outage' })],
          ['a long reason', () => text({ reason: 'x'.repeat(501) })],
          ['a reason with a raw line break', () => text().replace('down', 'do\nwn')],
          ['a number as the reason', () => text({ reason: 4711 })],
          ['no time', () => text({ expires: undefined })],
          ['a date', () => text({ expires: '2999-01-01' })],
          ['a time without a zone', () => text({ expires: hours(1).replace('Z', '') })],
          ['a time that does not exist', () => text({ expires: '2999-13-45T25:61:61Z' })],
          ['a day that does not exist', () => text({ expires: '2999-02-30T10:00:00Z' })],
          ['seconds since 1970', () => text({ expires: Math.round(Date.now() / 1000) + 3600 })],
          ['a time in the past', () => text({ expires: hours(-1) })],
          ['a time in more than a day', () => text({ expires: hours(24.1) })],
          ['a time in the next century', () => text({ expires: '2126-01-01T00:00:00Z' })],
        ])('%s is rejected', async (_, value) => {
          guarded(await changed('rita', value()), 'break-glass.: |resulted in error', [403, 422]);
        });

        test.each<[string, () => string]>([
          ['a day', () => text({ expires: hours(23.9) })],
          ['another time zone', () => text({ expires: hours(3).replace(/[.].*/, '+02:00') })],
          ['escaped characters', () => text({ reason: 'checkout is "down"\n\\ \u0001 since 10:00' })],
          ['a long reason in another alphabet', () => text({ reason: '\u00e4'.repeat(500) })],
        ])('%s is accepted', async (_, value) => {
          expect(await changed('rita', value())).toMatchObject({ status: 200 });
        });

        test('forged times of managed fields do not extend it', async () => {
          const entry = (time: string) => ({
            manager: 'forger',
            operation: 'Update',
            apiVersion,
            time,
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${key}`]: {} } } },
          });
          for (const [time, expires] of [
            ['2125-12-31T12:00:00Z', '2126-01-01T00:00:00Z'],
            ['2020-01-01T00:00:00Z', hours(-1)],
            ['2020-01-01T00:00:00Z', hours(48)],
          ] as const) {
            const { metadata: own, ...rest } = patchOf(text({ expires }));
            const patch = { ...rest, metadata: { ...own, managedFields: [entry(time)] } };
            guarded(await change('rita', service, patch), 'break-glass.: |are protected');
            guarded(
              await change('rita', service, { ...rest, metadata: { ...own, managedFields: [{}] } }),
              'break-glass.: |are protected',
            );
          }
        });

        describe('that is set', () => {
          beforeAll(async () => {
            const path = await as('rita').discovery.objectPath(started);
            const annotations = { [key]: text() };
            expectStatus(
              await as('rita').request('PATCH', path, { metadata: { annotations } }, { contentType: mergePatch }),
              [200],
            );
          });
          const edit = (user: string, patch: object, subresource?: string) => change(user, started, patch, subresource);
          const ofImage = { spec: { version: '7.7.7' } };

          test('only its user changes the workload', async () => {
            expect(await edit('rita', ofImage)).toMatchObject({ status: 200 });
            for (const user of [quotedName, 'mallory', 'olga', 'admin', deployer])
              guarded(await edit(user, ofImage), 'break-glass.: |are protected');
            for (const user of [quotedName, 'mallory', 'olga', deployer])
              guarded(await edit(user, patchOf(text({ expires: hours(2) }))), 'break-glass.: |are protected');
            expect((await edit(quotedName, patchOf(text({ user: quotedName })))).status).toBe(200);
          });

          test('operators restart the workload', async () => {
            const restart = { metadata: { annotations: { 'pinterest.com/restarted-at': '2026-01-01T00:00:00Z' } } };
            expect((await edit('mallory', restart)).status).toBe(200);
            expect((await edit(kube('generic-garbage-collector'), { metadata: { finalizers: [] } })).status).toBe(200);
          });

          test('a deployment, an administrator and the groups remove it, and nobody else', async () => {
            for (const value of [null, '']) {
              for (const user of [deployer, 'olga', quotedName])
                expect([user, (await edit(user, patchOf(value, {}))).status]).toEqual([user, 200]);
              guarded(await edit('rita', patchOf(value)), 'are protected');
              guarded(await edit('mallory', patchOf(value, {})), 'may be removed only by a group|are protected');
            }
            expect((await edit(deployer, patchOf(null))).status).toBe(200);
          });
        });
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
