import { apiVersion, parseManifest, crdOf, type ManifestInput, type PlatformManifest } from '../../lib/api';
import {
  controllerName,
  controllerRules,
  defaultPlatform,
  defaultProfile,
  expand,
  expandPlatform,
  expandProject,
  installManifests,
  leaseRules,
  platformControllerName,
  resolvePlatform,
  type KubernetesObject,
  type PolicyRule,
} from '../../lib/expand';
import { expectStatus, messageOf } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';

const image = 'registry.example.com/pinion/controller:1.0.0';
const project: ManifestInput<'Project'> = {
  apiVersion,
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'shop' },
};
const documents = [defaultPlatform, defaultProfile, project];
const accountOf = (name: string): string => `system:serviceaccount:${controllerName}:${name}`;

describeControlPlane('installation', (controlPlane) => {
  const cluster = resolvePlatform(documents.map((document) => parseManifest(document)) as PlatformManifest[]);
  const send = (object: object) => controlPlane().client.apply(object as SendableObject);
  const asController = (args: readonly string[], objects: readonly object[] = [], name: string = controllerName) =>
    controlPlane().kubectl(
      [...args, `--as=${accountOf(name)}`, '--as-group=system:serviceaccounts', '--as-group=system:authenticated'],
      objects.map((object) => JSON.stringify(object)).join('\n---\n'),
    );

  beforeAll(async () => {
    for (const object of installManifests({ image, documents })) {
      if (object.kind === 'CustomResourceDefinition') await controlPlane().client.createCrd(object as SendableObject);
      else expectStatus(await send(object), [200, 201]);
    }
  }, 60_000);

  test('is idempotent', async () => {
    for (const object of installManifests({ image, documents })) {
      const before = (await controlPlane().client.get(object as SendableObject)).body as KubernetesObject;
      const after = expectStatus(await send(object), [200]).body as KubernetesObject;
      expect(after.metadata['resourceVersion' as never]).toBe(before.metadata['resourceVersion' as never]);
    }
  });

  test('causes no Pod Security warning', async () => {
    const deployment = installManifests({ image }).find(({ kind }) => kind === 'Deployment') as KubernetesObject;
    const copy = { ...deployment, metadata: { ...deployment.metadata, name: 'another' } };
    expect((await controlPlane().client.create(copy as SendableObject, { dryRun: true })).warnings).toEqual([]);
  });

  test('grants each controller exactly the permissions of the table by `kubectl auth can-i --list`', async () => {
    const review = (namespace: string) => ({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      spec: { namespace },
    });
    const listPermissions = async (name: string, namespace: string): Promise<string[]> => {
      const args = ['create', '--validate=false', '-f', '-', '-o', 'json'];
      const result = await asController(args, [review(namespace)], name);
      expect(result.stderr).toBe('');
      const { status } = JSON.parse(result.stdout) as { status: { resourceRules: PolicyRule[] } };
      return status.resourceRules.flatMap(permissionsOf).filter((permission) => !selfReviewGroups.test(permission));
    };
    for (const [name, scope] of [
      [controllerName, 'workloads'],
      [platformControllerName, 'platform'],
    ] as const) {
      const rules = controllerRules([scope]);
      expect(new Set(await listPermissions(name, 'shop'))).toEqual(new Set(rules.flatMap(permissionsOf)));
      expect(new Set(await listPermissions(name, controllerName))).toEqual(
        new Set([...rules, ...leaseRules(name)].flatMap(permissionsOf)),
      );
    }
  });

  test('lets the controllers create the objects of a Platform, a Project and a service', async () => {
    const service = parseManifest({
      apiVersion,
      kind: 'PinterestService',
      metadata: { name: 'cart', namespace: 'shop' },
      spec: {
        replicas: 2,
        leaderElection: true,
        loadBalancer: { port: 8080 },
        config: { files: { '/etc/app/app.yaml': 'a: 1' } },
        access: { from: [{ project: 'shop' }] },
        template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.0.0' }] } },
      },
    } as ManifestInput<'PinterestService'>);
    const shop = cluster.project('shop').project;
    const members = parseManifest({
      ...project,
      spec: { ...project.spec, members: ['view', 'edit', 'admin'].map((role) => ({ name: 'shop-team', role })) },
    } as ManifestInput<'Project'>) as PlatformManifest<'Project'>;
    const ofPlatform = [
      ...expandPlatform(cluster),
      ...expandProject(shop, cluster),
      ...expandProject(members, cluster),
    ].map((object) => ({ object, name: platformControllerName }));
    const ofWorkloads = expand(service, cluster.project('shop')).map((object) => ({ object, name: controllerName }));
    for (const { object, name } of [...ofPlatform, ...ofWorkloads]) {
      const applyArgs = ['apply', '--server-side', '--field-manager=pinion', '-f', '-'];
      const result = await asController(applyArgs, [object], name);
      expect([object.kind, object.metadata.name, result.code, result.stderr]).toEqual([
        object.kind,
        object.metadata.name,
        0,
        '',
      ]);
    }
  }, 120_000);

  test.each([
    ['a role with all permissions', 'ClusterRole', { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }],
    [
      'a binding to cluster-admin',
      'RoleBinding',
      {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'shop' }],
      },
    ],
    ['a role for secrets', 'Role', { rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }] }],
  ])('denies both controllers to create %s', async (_, kind, body) => {
    const metadata = { name: 'too-much', ...(kind !== 'ClusterRole' && { namespace: 'default' }) };
    const object = { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata, ...body };
    for (const name of [controllerName, platformControllerName]) {
      const result = await asController(['apply', '--server-side', '-f', '-'], [object], name);
      expect([result.code, result.stderr]).toEqual([1, expect.stringContaining('forbidden')]);
    }
  });

  describe('protection', () => {
    const plural = { Project: 'projects', RuntimeProfile: 'runtimeprofiles', Platform: 'platforms' } as const;
    const setWorkloadCount = async (kind: keyof typeof plural, name: string, workloads: number): Promise<void> => {
      const path = `/apis/${apiVersion}/${plural[kind]}/${name}/status`;
      const contentType = 'application/merge-patch+json';
      expectStatus(
        await controlPlane().client.request('PATCH', path, { status: { workloads } }, { contentType }),
        [200],
      );
    };
    const remove = (kind: string, name: string, version = apiVersion) =>
      controlPlane().client.request('DELETE', pathOf(kind, name, version), undefined, { dryRun: true });
    const pathOf = (kind: string, name: string, version: string): string =>
      version === 'v1'
        ? `/api/v1/namespaces/${name}`
        : `/apis/${version}/${plural[kind as keyof typeof plural]}/${name}`;
    /** Policies and their parameters reach the caches of the server with a delay. */
    const untilStatus = (what: string, request: () => Promise<{ status: number }>, status: number) =>
      controlPlane().client.waitFor(what, async () => (await request()).status === status);

    test('protects a Project with workloads and its Namespace from deletion', async () => {
      await setWorkloadCount('Project', 'shop', 3);
      const project = () => remove('Project', 'shop');
      const namespace = () => remove('Namespace', 'shop', 'v1');
      await untilStatus('the Project to be protected', project, 403);
      await untilStatus('its Namespace to be protected', namespace, 403);
      expect(messageOf(await project())).toContain('Project shop still has 3 workloads');
      expect(messageOf(await namespace())).toContain('kubectl get pinterest -n shop');
      await setWorkloadCount('Project', 'shop', 0);
      await untilStatus('the Project to be deletable', project, 200);
      await untilStatus('its Namespace to be deletable', namespace, 200);
    });

    test('does not protect the Namespace of another Project', async () => {
      await setWorkloadCount('Project', 'shop', 3);
      await untilStatus('the Project to be protected', () => remove('Namespace', 'shop', 'v1'), 403);
      expect((await remove('Namespace', controllerName, 'v1')).status).toBe(200);
      await setWorkloadCount('Project', 'shop', 0);
    });

    test('protects a RuntimeProfile that pods or the Platform use', async () => {
      const next = { ...defaultProfile, metadata: { name: 'default-2' } };
      expectStatus(await send(next), [201]);
      await untilStatus('the profile in force to be protected', () => remove('RuntimeProfile', 'default-1'), 403);
      expect(messageOf(await remove('RuntimeProfile', 'default-1'))).toContain('the Platform uses this RuntimeProfile');
      expect((await remove('RuntimeProfile', 'default-2')).status).toBe(200);
      await setWorkloadCount('RuntimeProfile', 'default-2', 1);
      await untilStatus('the profile in use to be protected', () => remove('RuntimeProfile', 'default-2'), 403);
      expect(messageOf(await remove('RuntimeProfile', 'default-2'))).toContain('still has 1 workload,');
    });

    test('protects the Platform while workloads exist', async () => {
      await setWorkloadCount('Platform', 'cluster', 1);
      await untilStatus('the Platform to be protected', () => remove('Platform', 'cluster'), 403);
      await setWorkloadCount('Platform', 'cluster', 0);
    });
  });

  test('keeps definitions and custom resources on an uninstall by label', async () => {
    const text = installManifests({ image, documents })
      .map((object) => JSON.stringify(object))
      .join('\n---\n');
    const result = await controlPlane().kubectl(
      ['delete', '-f', '-', '-l', 'pinterest.com/uninstall!=keep', '--wait=false'],
      text,
    );
    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(result.stdout).not.toContain('customresourcedefinition');
    for (const object of [crdOf('PinterestService'), ...documents])
      expect((await controlPlane().client.get(object as SendableObject)).status).toBe(200);
  });
});

/** API groups of permissions that every account has, to review its own access. */
const selfReviewGroups = /^(authorization|authentication)\.k8s\.io\//;

/** Returns the single permissions of a rule. */
const permissionsOf = ({ apiGroups, resources, verbs, resourceNames }: PolicyRule): string[] =>
  apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        (resourceNames ?? ['']).map((name) => `${group}/${resource} ${verb}${name === '' ? '' : ` ${name}`}`),
      ),
    ),
  );
