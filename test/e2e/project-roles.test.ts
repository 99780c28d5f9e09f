import { apiVersion, parseManifest, projectRoles, type ManifestInput, type PlatformManifest } from '../../lib/api';
import {
  defaultPlatform,
  defaultProfile,
  expandProject,
  installManifests,
  resolvePlatform,
  type PolicyRule,
} from '../../lib/expand';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectStatus } from '../control-plane/api-response';
import { type SendableObject } from '../control-plane/client';
import { describeControlPlane } from '../control-plane/suite';
import { applyAll, inParallel } from './cluster-setup';

const documents = [defaultPlatform, defaultProfile];
const image = 'registry.example.com/pinion/controller:1.0.0';
/** A project with one group per role, whose members may not exec, and one in which operators may. */
const projectOf = (name: string, spec: Partial<ManifestInput<'Project'>['spec']> = {}): ManifestInput<'Project'> => ({
  apiVersion,
  kind: 'Project',
  metadata: { name },
  spec: { team: 'shop', members: projectRoles.map((role) => ({ name: `${role}-members`, role })), ...spec },
});
const projects = [projectOf('shop'), projectOf('rescue', { exec: ['operate'] })];

const verbs = [
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  ...['impersonate', 'bind', 'escalate', 'approve', 'sign', 'use'],
] as const;
const reads = ['get', 'list', 'watch'];
/** Resources that no discovery document lists, because only authorization knows them. */
const virtualResources = ['/users', '/groups', '/uids', 'authentication.k8s.io/userextras'];

interface ResourceList {
  readonly groupVersion: string;
  readonly resources: readonly { readonly name: string; readonly group?: string }[];
}

/** Documents with the table of permissions, between these marks. */
const documentsWithTable = ['docs/kinds/project.md', 'CHANGELOG.md'];
const tableBegin = '<!-- lacking-permissions:begin -->';
const tableEnd = '<!-- lacking-permissions:end -->';
const normalize = (text: string): string => text.replace(/-{3,}/g, '---').replace(/\s+/g, ' ');

/** Groups permissions with the same verbs, as `verbs` of `resources`; subresources keep their parent. */
function groupPermissions(permissions: readonly string[]): readonly string[] {
  const verbsByResource = new Map<string, string[]>();
  for (const permission of permissions) {
    const [verb = '', resource = ''] = permission.split(' ');
    verbsByResource.set(resource, [...(verbsByResource.get(resource) ?? []), verb]);
  }
  const resourcesByVerbs = new Map<string, string[]>();
  for (const [resource, lacking] of verbsByResource) {
    const key = verbs.filter((verb) => lacking.includes(verb)).join(', ');
    const [apiGroup = '', ...path] = resource.split('/');
    const name = apiGroup === '' ? path.join('/') : `${path.join('/')} (${apiGroup})`;
    resourcesByVerbs.set(key, [...(resourcesByVerbs.get(key) ?? []), name]);
  }
  return [...resourcesByVerbs].map(([key, resources]) => `${key}: ${resources.sort().join(', ')}`).sort();
}

describeControlPlane('roles of project members', (controlPlane) => {
  const client = () => controlPlane().client;
  /** All resources that the server serves, as `group/resource`, with a slash before subresources. */
  let resources: readonly string[] = [];
  /** What each role may do, as `verb group/resource`. */
  const allowed = new Map<string, ReadonlySet<string>>();

  const review = async (group: string, namespace: string, verb: string, name: string): Promise<boolean> => {
    const [apiGroup = '', resource = '', subresource = ''] = name.split('/');
    const response = await client().request('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: {
        user: 'member',
        groups: [group, 'system:authenticated'],
        resourceAttributes: { namespace, verb, group: apiGroup, resource, subresource },
      },
    });
    return (response.body as { status: { allowed: boolean } }).status.allowed;
  };
  const permissionsOf = async (group: string, namespace: string): Promise<ReadonlySet<string>> => {
    const pairs = resources.flatMap((resource) => verbs.map((verb) => [verb, resource] as const));
    const results = await inParallel(pairs, async ([verb, resource]) =>
      (await review(group, namespace, verb, resource)) ? [`${verb} ${resource}`] : [],
    );
    return new Set(results.flat());
  };
  /** Returns what a role of Kubernetes allows, which the server aggregates from these ClusterRoles. */
  const permissionsOfKubernetes = async (role: 'view' | 'edit' | 'admin'): Promise<ReadonlySet<string>> => {
    const parts = ['view', 'edit', 'admin'].slice(0, ['view', 'edit', 'admin'].indexOf(role) + 1);
    const permissions = new Set<string>();
    for (const part of parts) {
      const path = `/apis/rbac.authorization.k8s.io/v1/clusterroles/system:aggregate-to-${part}`;
      const { rules } = expectStatus(await client().request('GET', path), [200]).body as { rules: PolicyRule[] };
      for (const { apiGroups, resources: names, verbs: granted } of rules)
        for (const group of apiGroups)
          for (const name of names)
            if (resources.includes(`${group}/${name}`))
              for (const verb of granted) permissions.add(`${verb} ${group}/${name}`);
    }
    return permissions;
  };
  const listResources = async (): Promise<readonly string[]> => {
    const groups = (await client().request('GET', '/apis')).body as {
      groups: readonly { versions: readonly { groupVersion: string }[] }[];
    };
    const paths = groups.groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`));
    const lists = await inParallel(['/api/v1', ...paths], async (path) => (await client().request('GET', path)).body);
    const names = (lists as readonly ResourceList[]).flatMap(({ groupVersion, resources: listed }) =>
      listed.map(({ name }) => `${groupVersion.includes('/') ? groupVersion.split('/')[0] : ''}/${name}`),
    );
    return [...new Set([...names, ...virtualResources])].sort();
  };

  beforeAll(async () => {
    for (const object of installManifests({ image, documents }))
      if (object.kind === 'CustomResourceDefinition') await client().createCrd(object as SendableObject);
      else await applyAll(client(), [object]);
    const cluster = resolvePlatform(documents.map((document) => parseManifest(document)) as PlatformManifest[]);
    for (const project of projects)
      await applyAll(client(), expandProject(parseManifest(project) as PlatformManifest<'Project'>, cluster));
    resources = await listResources();
    const view = 'pinterest.com/pinterestservices';
    for (const role of projectRoles)
      await client().waitFor(`role ${role}`, () => review(`${role}-members`, 'rescue', 'get', view));
    for (const role of projectRoles) allowed.set(role, await permissionsOf(`${role}-members`, 'shop'));
  }, 180_000);

  const of = (role: string): ReadonlySet<string> => allowed.get(role) ?? new Set();
  const matching = (role: string, pattern: RegExp): readonly string[] =>
    [...of(role)].filter((permission) => pattern.test(permission));

  test('the table covers every resource that the server serves', () => {
    expect(resources.length).toBeGreaterThan(100);
    expect(resources).toEqual(expect.arrayContaining(['/pods/exec', '/serviceaccounts/token', 'apps/deployments']));
    for (const role of projectRoles) expect(of(role).size).toBeGreaterThan(50);
  });

  test.each(projectRoles)(
    '%s never impersonates, creates tokens, reaches into pods or nodes, or writes RBAC',
    (role) => {
      expect(matching(role, /^(impersonate|bind|escalate|approve|sign|use) /)).toEqual([]);
      expect(matching(role, /serviceaccounts\/token$/)).toEqual([]);
      expect(matching(role, /\/(exec|attach|portforward|proxy|ephemeralcontainers)$/)).toEqual([]);
      const writes = matching(role, /^(?!get |list |watch )/);
      expect(writes.filter((one) => / (rbac|admissionregistration|apiextensions)\./.test(one))).toEqual([]);
      expect(writes.filter((one) => /\/status$/.test(one))).toEqual([]);
      expect(
        writes.filter((one) => / \/(namespaces|resourcequotas|limitranges|serviceaccounts|nodes|events)/.test(one)),
      ).toEqual([]);
      expect(matching(role, / pinterest\.com\/(projects|platforms|runtimeprofiles)/)).toEqual([]);
    },
  );

  test.each(['view', 'deploy'])('%s writes nothing, and reads neither Secrets nor logs', (role) => {
    expect(matching(role, /^(?!get |list |watch )/).filter((one) => !/selfsubject/.test(one))).toEqual([]);
    expect(matching(role, /(secrets|pods\/log)$/)).toEqual([]);
    expect(of(role)).toEqual(of('view'));
  });

  test('operate scales, restarts and reads logs, in addition to view', () => {
    const more = [...of('operate')].filter((permission) => !of('view').has(permission));
    expect(more.sort()).toEqual([
      'get /pods/log',
      'patch pinterest.com/pinterestdaemons',
      'patch pinterest.com/pinterestservices',
      'patch pinterest.com/pinterestservices/scale',
      'patch pinterest.com/pintereststatefulsets',
      'patch pinterest.com/pintereststatefulsets/scale',
      'update pinterest.com/pinterestservices/scale',
      'update pinterest.com/pintereststatefulsets/scale',
    ]);
  });

  test('edit includes operate and writes workloads and their objects; admin also reads RBAC', () => {
    for (const permission of of('operate')) expect(of('edit')).toContain(permission);
    for (const verb of [...reads, 'create', 'patch', 'update', 'delete'])
      for (const resource of [
        'pinterest.com/pinterestservices',
        '/secrets',
        '/configmaps',
        'apps/deployments',
        '/pods',
      ])
        expect(of('edit')).toContain(`${verb} ${resource}`);
    const more = [...of('admin')].filter((permission) => !of('edit').has(permission));
    expect(more.sort()).toEqual(
      ['rolebindings', 'roles']
        .flatMap((resource) => reads.map((verb) => `${verb} rbac.authorization.k8s.io/${resource}`))
        .sort(),
    );
  });

  test('exec, attach and port-forward are granted to the roles of the Project, and to them only', async () => {
    for (const role of projectRoles)
      for (const subresource of ['exec', 'attach', 'portforward'])
        for (const verb of ['get', 'create'])
          expect([role, subresource, await review(`${role}-members`, 'rescue', verb, `/pods/${subresource}`)]).toEqual([
            role,
            subresource,
            role === 'operate',
          ]);
    for (const what of ['/pods/proxy', '/services/proxy', '/pods/ephemeralcontainers', '/serviceaccounts/token'])
      expect([what, await review('operate-members', 'rescue', 'create', what)]).toEqual([what, false]);
  });

  describe('on workloads', () => {
    const as = (role: string) => [
      '-n',
      'shop',
      `--as=${role}-member`,
      `--as-group=${role}-members`,
      '--as-group=system:authenticated',
    ];
    const kubectl = (role: string, args: readonly string[], text?: string) =>
      controlPlane().kubectl([...args, ...as(role)], text);
    const template = {
      spec: {
        securityContext: { runAsUser: 65534, runAsGroup: 65534 },
        containers: [{ name: 'app', image: 'registry.example.com/app:1.0.0' }],
      },
    };
    const workload = (kind: string, spec: object) => ({
      apiVersion,
      kind,
      metadata: { name: 'cart', namespace: 'shop' },
      spec: { ...spec, template },
    });
    const restart = (value: string) => ({ metadata: { annotations: { 'pinterest.com/restarted-at': value } } });
    const patch = (role: string, resource: string, body: object) =>
      kubectl(role, ['patch', resource, 'cart', '--type=merge', '-p', JSON.stringify(body)]);

    beforeAll(async () => {
      for (const object of [
        workload('PinterestService', { replicas: 1 }),
        workload('PinterestJobSet', { shards: 1 }),
      ]) {
        const { code, stderr } = await kubectl('edit', ['apply', '--server-side', '-f', '-'], JSON.stringify(object));
        expect([code, stderr]).toEqual([0, '']);
      }
      await client().waitFor(
        'the policy to be in force',
        async () => (await patch('operate', 'psvc', { metadata: { labels: { probe: 'a' } } })).code === 1,
      );
    }, 60_000);

    test('an operator restarts and scales', async () => {
      for (const time of ['2026-11-23T10:00:00Z', '2026-11-23T10:00:00.5+01:00'])
        expect(await patch('operate', 'psvc', restart(time))).toMatchObject({ code: 0, stderr: '' });
      expect(await kubectl('operate', ['scale', 'psvc', 'cart', '--replicas=3'])).toMatchObject({
        code: 0,
        stderr: '',
      });
      const { stdout } = await kubectl('view', ['get', 'psvc', 'cart', '-o', 'json']);
      expect(JSON.parse(stdout)).toMatchObject({ ...restart('2026-11-23T10:00:00.5+01:00'), spec: { replicas: 3 } });
    });

    test.each<[string, object]>([
      [
        'an image',
        { spec: { template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/evil:1' }] } } } },
      ],
      ['the number of replicas past the subresource', { spec: { replicas: 5 } }],
      ['a label', { metadata: { labels: { 'example.com/area': 'checkout' } } }],
      ['another annotation', { metadata: { annotations: { 'pinterest.com/artifact': 'shop/cart@9.9.9' } } }],
      ['a finalizer', { metadata: { finalizers: ['example.com/stuck'] } }],
      ['an owner', { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'b' }] } }],
      ['a restart with an image', { ...restart('2026-11-23T11:00:00Z'), spec: { version: '2' } }],
    ])('an operator does not change %s', async (_, body) => {
      const { code, stderr } = await patch('operate', 'psvc', body);
      expect([code, stderr]).toEqual([1, expect.stringContaining('your role allows to change only the annotation')]);
    });

    test.each(['now', '', '2026-11-23'])('an operator does not restart at %j', async (value) => {
      const { code, stderr } = await patch('operate', 'psvc', restart(value));
      expect([code, stderr]).toEqual([1, expect.stringContaining('must be a time in the format of RFC 3339')]);
    });

    test('an operator restarts no run, and creates and deletes nothing', async () => {
      const refused = [
        await patch('operate', 'pjs', restart('2026-11-23T10:00:00Z')),
        await kubectl('operate', ['delete', 'psvc', 'cart']),
        await kubectl(
          'operate',
          ['apply', '--server-side', '-f', '-'],
          JSON.stringify({ ...workload('PinterestService', {}), metadata: { name: 'other', namespace: 'shop' } }),
        ),
        await patch('deploy', 'psvc', restart('2026-11-23T10:00:00Z')),
        await kubectl('deploy', ['scale', 'psvc', 'cart', '--replicas=2']),
        await kubectl('view', ['scale', 'psvc', 'cart', '--replicas=2']),
      ];
      for (const { code, stderr } of refused) expect([code, stderr]).toEqual([1, expect.stringContaining('forbidden')]);
    });

    test('an editor changes all of it', async () => {
      const body = { ...restart('later'), spec: { version: '2', replicas: 2 } };
      expect(await patch('edit', 'psvc', body)).toMatchObject({ code: 0, stderr: '' });
    });

    test('neither editors nor administrators create a token by a Secret, and keep writing other Secrets', async () => {
      const secret = (name: string, type: string, annotations = {}) =>
        JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'shop', annotations }, type });
      for (const role of ['edit', 'admin']) {
        const token = secret(`token-${role}`, 'kubernetes.io/service-account-token', {
          'kubernetes.io/service-account.name': 'deployer',
        });
        const refused = await kubectl(role, ['create', '-f', '-'], token);
        expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is a token of a service account')]);
        const accepted = await kubectl(role, ['create', '-f', '-'], secret(`plain-${role}`, 'Opaque'));
        expect([accepted.code, accepted.stderr]).toEqual([0, '']);
      }
      const byAdministrator = secret('token', 'kubernetes.io/service-account-token', {
        'kubernetes.io/service-account.name': 'deployer',
      });
      expect((await controlPlane().kubectl(['create', '-f', '-'], byAdministrator)).code).toBe(0);
    });
  });

  test('an administrator of a project does not act as its deployer', async () => {
    const asAdmin = ['-n', 'shop', '--as=ana', '--as-group=admin-members', '--as-group=system:authenticated'];
    const token = await controlPlane().kubectl(['create', 'token', 'deployer', ...asAdmin]);
    expect([token.code, token.stderr]).toEqual([1, expect.stringContaining('forbidden')]);
    const role = (await review('admin-members', 'shop', 'impersonate', '/serviceaccounts')) ? 'deployer' : 'ana';
    expect(role).toBe('ana');
  });

  test.each(documentsWithTable)(
    '%s lists what each role lacks of the role of Kubernetes that it replaces',
    async (path) => {
      const file = join(__dirname, '../..', path);
      const rows: string[] = [];
      for (const role of ['view', 'edit', 'admin'] as const) {
        const lacking = [...(await permissionsOfKubernetes(role))].filter((permission) => !of(role).has(permission));
        rows.push(...groupPermissions(lacking).map((what) => `| \`${role}\` | ${what} |`));
      }
      const text = readFileSync(file, 'utf8');
      const [before, after] = [text.split(tableBegin)[0], text.split(tableEnd)[1]];
      const table = ['', '', '| role | what it lacks |', '| --- | --- |', ...rows, '', ''].join('\n');
      if (process.env['UPDATE_GOLDEN']) writeFileSync(file, `${before}${tableBegin}${table}${tableEnd}${after}`);
      expect(normalize(readFileSync(file, 'utf8'))).toContain(normalize(`${tableBegin}${table}${tableEnd}`));
    },
  );

  test('users who are not members have no permissions in the project', async () => {
    expect([...(await permissionsOf('visitors', 'shop'))].filter((one) => !/selfsubject/.test(one))).toEqual([]);
    expect([...(await permissionsOf('admin-members', 'default'))].filter((one) => !/selfsubject/.test(one))).toEqual(
      [],
    );
  }, 60_000);
});
