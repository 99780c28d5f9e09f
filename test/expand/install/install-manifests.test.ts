import {
  parseManifest,
  metadataKeys,
  nativeKinds,
  ProblemsError,
  type ManifestInput,
  type NativeKind,
} from '../../../lib/api';
import {
  accessRoles,
  controllerRules,
  defaultPlatform,
  defaultProfile,
  safeInstallManifests,
  expandPlatform,
  execRole,
  expandProject,
  installManifests,
  isKept,
  resolvePlatform,
  uninstallManifests,
  type KubernetesObject,
  type PolicyRule,
} from '../../../lib/expand';

const image = 'registry.example.com/pinion/controller:1.0.0';
const nameOf = ({ kind, metadata }: KubernetesObject): string => `${kind} ${metadata.name}`;
const objects = installManifests({ image, documents: [defaultPlatform, defaultProfile] });
const one = (kind: string): KubernetesObject => objects.find((object) => object.kind === kind) as KubernetesObject;

/** Whether RBAC rules allow an action, as the API server evaluates them. */
const allows = (rules: readonly PolicyRule[], verb: string, group: string, resource: string, name?: string): boolean =>
  rules.some(
    (rule) =>
      rule.apiGroups.includes(group) &&
      rule.resources.includes(resource) &&
      rule.verbs.includes(verb) &&
      (rule.resourceNames === undefined || (name !== undefined && rule.resourceNames.includes(name))),
  );
const groupOf = (apiVersion: string): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] as string) : '');

test('definitions come first, then the namespace with its objects, then the custom resources and their guard', () => {
  const kinds = objects.map(({ kind }) => kind);
  expect(kinds.slice(0, 11)).toEqual(Array(11).fill('CustomResourceDefinition'));
  expect(kinds[11]).toBe('Namespace');
  expect(kinds.slice(-3)).toEqual(['RuntimeProfile', 'Platform', 'ValidatingAdmissionPolicyBinding']);
  expect(objects.at(-1)?.metadata.name).toBe('platform-writes.pinterest.com');
});

test('the controllers may create all objects of a Platform, a Project and the example workloads', () => {
  const rules = controllerRules(['platform']);
  const cluster = resolvePlatform([parseManifest(defaultPlatform) as never]);
  const made = [...expandPlatform(cluster), ...expandProject(cluster.project('shop').project, cluster)];
  for (const { kind, apiVersion, metadata } of made) {
    const { plural } = nativeKinds[kind as NativeKind];
    for (const verb of ['get', 'list', 'watch', 'create', 'patch'])
      expect([verb, kind, allows(rules, verb, groupOf(apiVersion), plural, metadata.name)]).toEqual([verb, kind, true]);
  }
});

test('the permissions have no wildcard, no Secrets, and no deletion of namespaces or definitions', () => {
  const rules = controllerRules();
  const words = rules.flatMap(({ apiGroups, resources, verbs }) => [...apiGroups, ...resources, ...verbs]);
  expect(words.filter((word) => word.includes('*') || word.includes('secrets'))).toEqual([]);
  expect(allows(rules, 'delete', '', 'namespaces', 'shop')).toBe(false);
  expect(words).not.toContain('customresourcedefinitions');
  expect(words).not.toContain('impersonate');
});

test('the controller binds only the roles of Projects, and changes no role', () => {
  const rules = controllerRules();
  const rbac = 'rbac.authorization.k8s.io';
  const names = accessRoles().map(({ metadata }) => metadata.name);
  const bindable = [...names, 'view', 'edit', 'admin', 'cluster-admin'].filter((name) =>
    allows(rules, 'bind', rbac, 'clusterroles', name),
  );
  expect(bindable.sort()).toEqual(
    ['deployer', ...['admin', 'deploy', 'edit', 'exec', 'operate', 'view'].map((role) => `project-${role}`)].map(
      (name) => `pinion-${name}`,
    ),
  );
  for (const name of names)
    for (const verb of ['create', 'patch', 'update', 'delete', 'escalate'])
      expect([verb, name, allows(rules, verb, rbac, 'clusterroles', name)]).toEqual([verb, name, false]);
  expect(allows(rules, 'escalate', rbac, 'roles', 'any')).toBe(false);
});

test('no role of members has a wildcard, impersonates, creates tokens, reaches into pods or writes RBAC', () => {
  const forbidden =
    /\*|impersonate|serviceaccounts\/token|pods\/(exec|attach|portforward|proxy|ephemeralcontainers)|\/proxy/;
  for (const { metadata, rules } of accessRoles()) {
    if (metadata.name === execRole) continue;
    expect([metadata.name, forbidden.exec(JSON.stringify(rules))]).toEqual([metadata.name, null]);
    const rbac = (rules as readonly PolicyRule[]).filter(({ apiGroups }) =>
      apiGroups.some((one) => one.includes('rbac')),
    );
    expect(rbac.flatMap(({ verbs }) => verbs).filter((verb) => !['get', 'list', 'watch'].includes(verb))).toEqual([]);
  }
});

test('each controller may only write what it reconciles', () => {
  const [workloads, platform] = [controllerRules(['workloads']), controllerRules(['platform'])];
  const rbac = 'rbac.authorization.k8s.io';
  for (const verb of ['create', 'patch', 'update', 'delete', 'bind']) {
    for (const [group, resource] of [
      ['', 'namespaces'],
      ['', 'resourcequotas'],
      ['', 'limitranges'],
      [rbac, 'clusterroles'],
      ['scheduling.k8s.io', 'priorityclasses'],
      ['admissionregistration.k8s.io', 'validatingadmissionpolicies'],
      ['pinterest.com', 'projects'],
      ['pinterest.com', 'platforms/status'],
    ] as const)
      expect([verb, resource, allows(workloads, verb, group, resource, 'pinion-project-view')]).toEqual([
        verb,
        resource,
        false,
      ]);
    for (const [group, resource] of [
      ['', 'pods'],
      ['', 'configmaps'],
      ['apps', 'deployments'],
      ['apps', 'controllerrevisions'],
      [rbac, 'roles'],
      ['coordination.k8s.io', 'leases'],
      ['pinterest.com', 'pinterestservices'],
      ['pinterest.com', 'pinterestservices/status'],
    ] as const)
      expect([verb, resource, allows(platform, verb, group, resource)]).toEqual([verb, resource, false]);
  }
  for (const rules of [workloads, platform])
    expect(
      allows(rules, 'watch', 'pinterest.com', 'projects') && allows(rules, 'watch', 'pinterest.com', 'platforms'),
    ).toBe(true);
});

test('two controllers have an identity, a scope and a confining policy each; a single one has everything', () => {
  const namesOf = (kind: string, from = objects) => from.filter((object) => object.kind === kind).map(nameOf);
  const names = ['pinion-controller', 'pinion-platform-controller'];
  for (const kind of ['Deployment', 'ServiceAccount', 'ClusterRoleBinding', 'Service', 'PodDisruptionBudget'])
    expect(namesOf(kind).sort()).toEqual(names.map((name) => `${kind} ${name}`));
  expect(namesOf('ValidatingAdmissionPolicyBinding')).toEqual(
    expect.arrayContaining(
      [
        'controller-writes',
        'controller-namespaces',
        'controller-reserved-namespaces',
        'platform-controller-writes',
      ].map((name) => `ValidatingAdmissionPolicyBinding ${name}.pinterest.com`),
    ),
  );
  const single = installManifests({ image, singleController: true });
  expect(namesOf('Deployment', single)).toEqual(['Deployment pinion-controller']);
  expect(JSON.stringify(single.find(({ kind }) => kind === 'Deployment'))).not.toContain('--scope');
  const policies = namesOf('ValidatingAdmissionPolicy', single);
  expect(policies).toContain('ValidatingAdmissionPolicy controller-writes.pinterest.com');
  expect(policies).not.toContain('ValidatingAdmissionPolicy platform-controller-writes.pinterest.com');
});

test('gangs use the scheduler only if the Platform enables it', () => {
  const spec = { ...defaultPlatform.spec, gangScheduling: true };
  const gang = parseManifest({ ...defaultPlatform, spec } as ManifestInput<'Platform'>);
  expect(allows(controllerRules(), 'create', 'scheduling.k8s.io', 'podgroups')).toBe(false);
  expect(allows(controllerRules(['workloads'], gang as never), 'create', 'scheduling.k8s.io', 'podgroups')).toBe(true);
});

test('the controller runs restricted, with two replicas', () => {
  const { spec } = one('Deployment') as unknown as {
    spec: { replicas: number; template: { spec: { securityContext: object; containers: Record<string, unknown>[] } } };
  };
  expect(spec.replicas).toBe(2);
  expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true });
  expect(spec.template.spec.containers[0]).toMatchObject({
    image,
    args: ['--port=8080', '--lease-namespace=pinion-controller', '--scope=workloads'],
    securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  });
  expect(one('Namespace').metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
});

test('profiles have a port that only the API server networks reach, and a role without a binding', () => {
  const plain = installManifests({ image });
  const profiled = installManifests({ image, profilesFrom: ['10.0.0.0/24', 'fd00::/64'] });
  const further = profiled.filter((object) => !plain.some((other) => nameOf(other) === nameOf(object)));
  expect(further.map(nameOf).sort()).toEqual([
    'NetworkPolicy pinion-controller-profiles',
    'NetworkPolicy pinion-platform-controller-profiles',
    'Role pinion-controller-profiles',
    'Role pinion-platform-controller-profiles',
  ]);
  const [policy, role] = ['NetworkPolicy', 'Role'].map((kind) => further.find((object) => object.kind === kind));
  expect(policy).toMatchObject({
    metadata: { namespace: 'pinion-controller' },
    spec: {
      policyTypes: ['Ingress'],
      ingress: [
        { ports: [{ port: 8080 }] },
        { from: [{ ipBlock: { cidr: '10.0.0.0/24' } }, { ipBlock: { cidr: 'fd00::/64' } }], ports: [{ port: 6060 }] },
      ],
    },
  });
  const { rules } = role as unknown as { readonly rules: readonly PolicyRule[] };
  expect(allows(rules, 'get', '', 'pods/proxy')).toBe(true);
  expect(allows(rules, 'get', 'coordination.k8s.io', 'leases', 'pinion-controller')).toBe(true);
  expect(rules.flatMap(({ verbs }) => verbs)).toEqual(['get', 'get']);
  const bindings = profiled.filter(({ kind }) => kind === 'RoleBinding').map(({ roleRef }) => roleRef);
  expect(bindings).not.toContainEqual(expect.objectContaining({ name: 'pinion-controller-profiles' }));
  const deployment = profiled.find(({ kind }) => kind === 'Deployment');
  expect(JSON.stringify(deployment)).toContain('--profile-port=6060');
  expect(JSON.stringify(one('Deployment'))).not.toMatch(/6060|profile-port/);
});

test('each invalid network is reported', () => {
  const { problems } = safeInstallManifests({ image, profilesFrom: ['10.0.0.0/24', '10.0.0.7', 'all'] });
  expect(problems.map(({ path, value }) => [path.join('.'), value])).toEqual([
    ['profilesFrom.1', '10.0.0.7'],
    ['profilesFrom.2', 'all'],
  ]);
  expect(safeInstallManifests({ image, profilesFrom: [] }).problems.map(({ path }) => path.join('.'))).toEqual([
    'profilesFrom',
  ]);
});

test('an uninstall keeps definitions, custom resources and the roles that Projects bind', () => {
  const removed = uninstallManifests({ image, documents: [defaultPlatform, defaultProfile] });
  expect(objects.filter(isKept).map(({ kind }) => kind)).toEqual([
    ...Array<string>(11).fill('CustomResourceDefinition'),
    ...Array<string>(accessRoles().length).fill('ClusterRole'),
    'RuntimeProfile',
    'Platform',
  ]);
  expect(removed.map(nameOf)).toEqual(
    objects
      .filter(({ metadata }) => metadata.labels?.[metadataKeys.uninstall] !== 'keep')
      .map(nameOf)
      .reverse(),
  );
  expect(uninstallManifests({ documents: [defaultPlatform, defaultProfile] })).toEqual(removed);
});

test('an uninstall of an invalid namespace is reported', () => {
  expect(() => uninstallManifests({ namespace: 'kube-system' })).toThrow(ProblemsError);
  expect(() => uninstallManifests({ image: 'controller' })).toThrow(ProblemsError);
});

test('a Platform that names the built-in profile includes it', () => {
  const names = installManifests({ image, documents: [defaultPlatform] }).map(nameOf);
  expect(names).toContain('RuntimeProfile default-1');
  expect(installManifests({ image }).map(nameOf)).not.toContain('RuntimeProfile default-1');
});

test('all problems are reported at once', () => {
  const { problems } = safeInstallManifests({
    image: 'controller',
    namespace: 'pinion-system',
    replicas: 0,
    documents: [defaultPlatform],
  });
  expect(problems.map(({ path, code }) => [path.join('.'), code])).toEqual([
    ['image', 'bad-format'],
    ['replicas', 'out-of-range'],
    ['namespace', 'invalid-combination'],
  ]);
  expect(() => installManifests({ image: 'controller' })).toThrow(ProblemsError);
});
