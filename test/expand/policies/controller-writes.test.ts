import { controllerName, controllerRules, installedPolicies } from '../../../lib/expand';

interface PolicySpec {
  readonly matchConstraints: {
    readonly resourceRules: readonly {
      readonly apiGroups: readonly string[];
      readonly operations: readonly string[];
      readonly resources: readonly string[];
    }[];
  };
}

const operationOf: Readonly<Record<string, string>> = { create: 'CREATE', patch: 'UPDATE', delete: 'DELETE' };

/** Writes that a policy selects, such as `CREATE apps/deployments`. */
function selected(name: string, isSingle: boolean): ReadonlySet<string> {
  const found = installedPolicies(controllerName, isSingle).find(
    ({ kind, metadata }) => kind === 'ValidatingAdmissionPolicy' && metadata.name === `${name}.pinterest.com`,
  );
  const { resourceRules } = (found as unknown as { readonly spec: PolicySpec }).spec.matchConstraints;
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
  return controllerRules(isSingle ? ['workloads', 'platform'] : ['workloads']).flatMap(
    ({ apiGroups, resources, verbs }) =>
      apiGroups
        .filter((group) => !elsewhere.includes(group))
        .flatMap((group) =>
          resources
            .filter((resource) => !resource.includes('/') && !['events', 'projects'].includes(resource))
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
