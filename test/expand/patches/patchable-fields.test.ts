import { nativeKinds, patchableFields, patchableKinds, type NativeKind } from '../../../lib/api';
import { leavesOf } from '../../../lib/expand/explain/differences';
import { goldenObjects } from './golden-objects';

/** Names of fields that decide on permissions, scheduling, isolation, addresses, or whose traffic arrives. */
const guarded =
  /^(serviceAccount.*|automountServiceAccountToken|host(PID|IPC|Network|Users)|priority.*|preemptionPolicy|tolerations|nodeSelector|affinity|nodeName|schedulerName|schedulingGates|topologySpreadConstraints|securityContext|volumes|containers|initContainers|ephemeralContainers|runtimeClassName|resources|overhead|imagePullSecrets|shareProcessNamespace|selector|type|ports|externalIPs|loadBalancer.*|external.*|clusterIPs?|rules|tls|ingressClassName|defaultBackend|labels|ownerReferences|finalizers|name|namespace|kind|apiVersion|subjects|roleRef|data|replicas|parallelism|completions|hard|limits|scaleTargetRef|m(in|ax)Replicas|volumeName|volumeClaimTemplates|storageClassName)$/;

test('no kind that grants permissions or limits usage is patchable', () => {
  expect(patchableKinds.filter((kind) => !(kind in nativeKinds))).toEqual([]);
  const others = (Object.keys(nativeKinds) as NativeKind[]).filter((kind) => !(kind in patchableFields));
  expect(others).toEqual([
    'Namespace',
    'PriorityClass',
    'CustomResourceDefinition',
    'ResourceQuota',
    'LimitRange',
    'ServiceAccount',
    'ClusterRole',
    'ClusterRoleBinding',
    'Role',
    'RoleBinding',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
    'NetworkPolicy',
    'ConfigMap',
  ]);
});

test('no patchable field is, or contains, a guarded field', () => {
  const fields = Object.values(patchableFields).flat();
  expect(fields.filter((field) => field.split('.').some((step) => guarded.test(step)))).toEqual([]);
  // Neither is a field above a guarded one listed.
  const tops = ['metadata', 'spec', 'spec.template', 'spec.template.spec', 'spec.template.metadata'];
  expect(fields.filter((field) => tops.includes(field.replace(/^spec\.jobTemplate\./, '')))).toEqual([]);
});

test('most fields of generated objects are not patchable', () => {
  const leaves = goldenObjects.flatMap((object) =>
    leavesOf(object).map(({ path }) => [object.kind as NativeKind, path.join('.')] as const),
  );
  const isListed = ([kind, path]: readonly [NativeKind, string]) =>
    kind in patchableFields &&
    patchableFields[kind as keyof typeof patchableFields].some((field) => `${path}.`.startsWith(`${field}.`));
  const listed = leaves.filter(isListed).map(([, path]) => path.replace(/(annotations|behavior)\..*/, '$1'));
  expect([...new Set(listed.map((path) => path.split('.').find((step) => guarded.test(step))))]).toEqual([undefined]);
  expect(listed.length / leaves.length).toBeLessThan(0.1);
});
