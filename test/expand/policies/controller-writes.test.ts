import { controllerName, controllerRules, controllerUsers, installedPolicies } from '../../../lib/expand';
import { policyVerdict } from './policy-verdict';

interface PolicySpec {
  readonly matchConstraints: {
    readonly namespaceSelector: object;
    readonly resourceRules: readonly {
      readonly apiGroups: readonly string[];
      readonly operations: readonly string[];
      readonly resources: readonly string[];
    }[];
  };
}

const operationOf: Readonly<Record<string, string>> = { create: 'CREATE', patch: 'UPDATE', delete: 'DELETE' };

const policyNamed = (name: string, isSingle = false): { readonly spec: PolicySpec } =>
  installedPolicies(controllerName, isSingle).find(
    ({ kind, metadata }) => kind === 'ValidatingAdmissionPolicy' && metadata.name === `${name}.pinterest.com`,
  ) as unknown as { readonly spec: PolicySpec };

/** Writes that a policy selects, such as `CREATE apps/deployments`. */
function selected(name: string, isSingle: boolean): ReadonlySet<string> {
  const { resourceRules } = policyNamed(name, isSingle).spec.matchConstraints;
  return new Set(
    resourceRules.flatMap(({ apiGroups, operations, resources }) =>
      apiGroups.flatMap((group) =>
        operations.flatMap((operation) => resources.map((resource) => `${operation} ${group}/${resource}`)),
      ),
    ),
  );
}

/** Writes that RBAC grants, except those that other policies confine, and those of subresources and events. */
function granted(isSingle: boolean): readonly string[] {
  const elsewhere = ['admissionregistration.k8s.io', 'coordination.k8s.io'];
  const elsewhereResources = ['events', 'projects', 'platformrevisions', 'platformrollouts'];
  return controllerRules(isSingle ? ['workloads', 'platform'] : ['workloads']).flatMap(
    ({ apiGroups, resources, verbs }) =>
      apiGroups
        .filter((group) => !elsewhere.includes(group))
        .flatMap((group) =>
          resources
            .filter((resource) => !resource.includes('/') && !elsewhereResources.includes(resource))
            .flatMap((resource) =>
              verbs.flatMap((verb) => operationOf[verb] ?? []).map((one) => `${one} ${group}/${resource}`),
            ),
        ),
  );
}

test.each([false, true])('confines every write of the controller of workloads; single: %s', (isSingle) => {
  const content = selected('controller-writes', isSingle);
  const [unmanaged, reserved] = ['controller-namespaces', 'controller-reserved-namespaces'].map((name) =>
    selected(name, isSingle),
  );
  const writes = granted(isSingle);
  expect(writes).toContain('CREATE apps/deployments');
  expect(writes.filter((write) => !content.has(write) && !(unmanaged?.has(write) && reserved?.has(write)))).toEqual([]);
});

test('writes of objects are selected outside managed namespaces only, where a policy costs nothing', () => {
  const content = selected('controller-writes', false);
  expect([...content].map((write) => write.split(' ')[1]).sort()).toEqual(
    ['/serviceaccounts', 'rbac.authorization.k8s.io/rolebindings', 'rbac.authorization.k8s.io/roles'].flatMap((one) => [
      one,
      one,
      one,
    ]),
  );
});

const managed = { 'app.kubernetes.io/managed-by': 'pinion' };
const { workloads, platform } = controllerUsers(controllerName);

test.each([controllerName, 'pinion-gateway', 'default', 'kube-system'])(
  'no controller writes in %s, even if a label says that pinion manages the namespace',
  (namespace) => {
    const object = { metadata: { name: 'cart', labels: managed } };
    const account = { user: workloads, resource: 'serviceaccounts', namespace, object };
    expect(policyVerdict('controller-writes', account)).toMatch(/^metadata[.]namespace: /);
    const authority = { metadata: { name: 'pinion-gateway-ca', labels: managed } };
    const configMap = { user: platform, resource: 'configmaps', namespace, object: authority };
    expect(policyVerdict('platform-controller-writes', configMap)).toMatch(/^metadata[.]namespace: /);
    const home = { user: platform, resource: 'namespaces', object: { metadata: { name: namespace, labels: managed } } };
    expect(policyVerdict('platform-controller-writes', home)).toMatch(/^metadata[.]namespace: /);
    const project = { user: 'ana', resource: 'projects', object: { metadata: { name: namespace } } };
    expect(policyVerdict('project-names', project)).toMatch(/^metadata[.]name: is (a|the) namespace of /);
    const { spec } = policyNamed('controller-reserved-namespaces');
    expect(spec.matchConstraints.namespaceSelector).toEqual({
      matchExpressions: [
        { key: 'kubernetes.io/metadata.name', operator: 'In', values: expect.arrayContaining([namespace]) as string[] },
      ],
    });
  },
);

test('controllers write in the namespaces of projects', () => {
  const object = { metadata: { name: 'cart', labels: managed } };
  const account = { user: workloads, resource: 'serviceaccounts', namespace: 'shop', object };
  expect(policyVerdict('controller-writes', account)).toBeUndefined();
  const authority = { metadata: { name: 'pinion-gateway-ca', labels: managed } };
  const configMap = { user: platform, resource: 'configmaps', namespace: 'shop', object: authority };
  expect(policyVerdict('platform-controller-writes', configMap)).toBeUndefined();
  const project = { user: 'ana', resource: 'projects', object: { metadata: { name: 'shop' } } };
  expect(policyVerdict('project-names', project)).toBeUndefined();
});
