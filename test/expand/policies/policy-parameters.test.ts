import { expandPlatform, installedPolicies, resolvePlatform, type KubernetesObject } from '../../../lib/expand';
import { gatewayInjection } from '../../../lib/expand/policies/gateway/gateway-injection';

type Operation = 'CREATE' | 'UPDATE' | 'DELETE';
interface PolicySpec {
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly paramKind?: object;
  readonly matchConstraints: {
    readonly namespaceSelector?: object;
    readonly resourceRules: readonly {
      readonly apiGroups: readonly string[];
      readonly operations: readonly Operation[];
      readonly resources: readonly string[];
    }[];
  };
}

const [create, update, remove] = ['CREATE', 'UPDATE', 'DELETE'] as const;
const all = [create, update, remove];

/** What kube-controller-manager, the scheduler and kubelets write in projects, besides deletions by the garbage collector. */
const writes: Readonly<Record<string, readonly Operation[]>> = {
  '/configmaps': all,
  '/endpoints': all,
  '/events': [create, update],
  '/persistentvolumeclaims': all,
  '/persistentvolumeclaims/status': [update],
  '/pods': all,
  '/pods/binding': [create],
  '/pods/ephemeralcontainers': [update],
  '/pods/eviction': [create],
  '/pods/resize': [update],
  '/pods/status': [update],
  '/replicationcontrollers': [update],
  '/replicationcontrollers/scale': [update],
  '/replicationcontrollers/status': [update],
  '/resourcequotas/status': [update],
  '/secrets': all,
  '/serviceaccounts': [create, update],
  '/serviceaccounts/token': [create],
  '/services': [update],
  '/services/status': [update],
  'apps/controllerrevisions': all,
  'apps/daemonsets': [update],
  'apps/daemonsets/status': [update],
  'apps/deployments': [update],
  'apps/deployments/scale': [update],
  'apps/deployments/status': [update],
  'apps/replicasets': all,
  'apps/replicasets/scale': [update],
  'apps/replicasets/status': [update],
  'apps/statefulsets': [update],
  'apps/statefulsets/scale': [update],
  'apps/statefulsets/status': [update],
  'autoscaling/horizontalpodautoscalers/status': [update],
  'batch/cronjobs': [update],
  'batch/cronjobs/status': [update],
  'batch/jobs': all,
  'batch/jobs/status': [update],
  'discovery.k8s.io/endpointslices': all,
  'policy/poddisruptionbudgets/status': [update],
  'resource.k8s.io/resourceclaims': all,
  'scheduling.k8s.io/podgroups/status': [update],
};

/** Policies that may refuse such a write until the API server knows their parameters, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'direct-pods.pinterest.com':
    'selects projects that the gateway is enforced in; there the policy that leads pods to it does not know its parameters either, so that a pod would keep its direct access',
  'direct-tokens.pinterest.com':
    'selects projects that the gateway is enforced in; kubelets request the token of a volume again within seconds',
  'direct-secrets.pinterest.com':
    'selects projects that the gateway is enforced in; controllers write Secrets with tokens only, which are refused there anyway',
};

/** Policies that refuse deletions by the garbage collector and the namespace controller, which repeat them until they succeed. */
const kindsOfPinion =
  /^(pinterest[a-z]+|protected-workloads|platform-writes|profile-in-force|project-namespace)[.]pinterest[.]com$/;

const policies = (): readonly { readonly name: string; readonly spec: PolicySpec }[] =>
  [
    ...[false, true].flatMap((isSingle) => installedPolicies('pinion-controller', isSingle)),
    ...expandPlatform(resolvePlatform([])),
    ...gatewayInjection({ kubernetesVersion: '1.36' }),
  ]
    .filter(({ kind }) => kind === 'ValidatingAdmissionPolicy' || kind === 'MutatingAdmissionPolicy')
    .map(({ metadata, spec }: KubernetesObject) => ({ name: metadata.name, spec: spec as unknown as PolicySpec }));

/** Returns the writes that a policy refuses until the API server knows its parameters. */
function refusedWithoutParameters({ spec }: { readonly spec: PolicySpec }): readonly string[] {
  if (spec.paramKind === undefined || spec.failurePolicy === 'Ignore') return [];
  return spec.matchConstraints.resourceRules.flatMap(({ apiGroups, operations, resources }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        operations
          .filter((operation) => writes[`${group}/${resource}`]?.includes(operation))
          .map((operation) => `${operation} ${group}/${resource}`),
      ),
    ),
  );
}

test('no policy refuses what Kubernetes itself writes while its parameters are unknown', () => {
  const refusing = policies()
    .filter(({ name }) => exceptions[name] === undefined)
    .map((policy) => ({ name: policy.name, writes: refusedWithoutParameters(policy) }))
    .filter(({ writes: refused }) => refused.length > 0);
  expect(refusing).toEqual([]);
});

test('expressions of a policy without parameters name none', () => {
  const naming = policies()
    .filter(({ spec }) => spec.paramKind === undefined && JSON.stringify(spec).includes('params.'))
    .map(({ name }) => name);
  expect(naming).toEqual([]);
});

test('each exception is still one', () => {
  for (const name of Object.keys(exceptions))
    expect([
      name,
      policies()
        .filter((policy) => policy.name === name)
        .flatMap(refusedWithoutParameters),
    ]).toEqual([name, expect.arrayContaining([expect.anything()])]);
});

test('exceptions select only projects in which the gateway is enforced', () => {
  for (const { spec } of policies().filter(({ name }) => exceptions[name] !== undefined))
    expect(spec.matchConstraints.namespaceSelector).toMatchObject({
      matchExpressions: expect.arrayContaining([
        { key: 'pinterest.com/gateway', operator: 'NotIn', values: ['Off', 'Observe'] },
      ]) as object,
    });
});

test('only policies for kinds of pinion refuse deletions while their parameters are unknown', () => {
  const refusing = policies().filter(
    ({ spec }) =>
      spec.paramKind !== undefined &&
      spec.matchConstraints.resourceRules.some(({ operations }) => operations.includes(remove)),
  );
  expect(refusing.map(({ name }) => name).filter((name) => !kindsOfPinion.test(name))).toEqual([]);
});
