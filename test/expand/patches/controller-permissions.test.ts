import { nativeKinds, patchableKinds, safeParseManifest, type NativeKind, type Workload } from '../../../lib/api';
import { controllerRules } from '../../../lib/expand/install/controller-rules';
import { type PolicyRule } from '../../../lib/expand/install/policy-rule';
import { applyPatches } from '../../../lib/expand/patches/apply-patches';
import { makeProjectContext, makeService } from '../../../lib/testing';
import { goldenObjects } from './golden-objects';

/** Every permission of the controller by itself. */
const permissions = controllerRules().flatMap(({ apiGroups, resources, verbs, resourceNames }) =>
  apiGroups.flatMap((apiGroup) =>
    resources.flatMap((resource) =>
      verbs.map((verb): PolicyRule => ({
        apiGroups: [apiGroup],
        resources: [resource],
        verbs: [verb],
        ...(resourceNames && { resourceNames }),
      })),
    ),
  ),
);
const context = makeProjectContext();
const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'mallory' }];

/** Patches that would give a permission to another user. */
function grantsOf(kind: string, permission: PolicyRule): object[] {
  const [resource = ''] = permission.resources;
  const [role = 'admin'] = permission.resourceNames ?? [];
  const target =
    (Object.keys(nativeKinds) as NativeKind[]).find((name) => nativeKinds[name].plural === resource) ?? 'Role';
  const roleRef = { kind: 'ClusterRole', apiGroup: 'rbac.authorization.k8s.io', name: role };
  const { apiVersion } = nativeKinds[target];
  return [
    { kind, merge: { rules: [permission] } },
    { kind, operations: [{ op: 'add', path: '/rules', value: [permission] }] },
    { kind, merge: { roleRef, subjects } },
    { kind, merge: { apiVersion, kind: target, rules: [permission], roleRef, subjects } },
    { kind, operations: [{ op: 'replace', path: '/kind', value: target }] },
    { kind, merge: { metadata: { name: role, namespace: 'kube-system' } } },
    { kind, merge: { spec: { rules: [permission] } } },
    { kind, merge: { $patch: permission.verbs[0] } },
  ];
}

/** Patches that would use the controller's permissions for another object or another identity. */
const misuses = (kind: string): object[] => [
  { kind, operations: [{ op: 'add', path: '/subjects', value: subjects }] },
  { kind, operations: [{ op: 'replace', path: '', value: {} }] },
  { kind, operations: [{ op: 'replace', path: '/', value: {} }] },
  {
    kind,
    merge: { spec: { template: { spec: { serviceAccountName: 'pinion', automountServiceAccountToken: true } } } },
  },
  { kind, merge: { spec: { jobTemplate: { spec: { template: { spec: { serviceAccountName: 'pinion' } } } } } } },
  { kind, merge: { spec: { hard: null, limits: null, policyTypes: [], externalIPs: ['10.0.0.1'] } } },
];

const manifest = (patches: readonly object[]): object => ({
  ...makeService(),
  spec: { ...makeService().spec, patches },
});

/** Parses patches, as many at once as have their problems listed one by one; returns those that are valid, and how many are not. */
function parsePatches(patches: readonly object[]): { readonly valid: readonly Workload[]; readonly rejected: number } {
  const valid: Workload[] = [];
  let rejected = 0;
  for (let from = 0; from < patches.length; from += 16) {
    const batch = patches.slice(from, from + 16);
    const bad = new Set(
      safeParseManifest(manifest(batch)).problems.map(({ path }) => path[1] === 'patches' && path[2]),
    );
    rejected += bad.size;
    const rest = safeParseManifest(manifest(batch.filter((_, index) => !bad.has(index)))).manifest as Workload;
    for (const patch of rest.spec.patches ?? [])
      valid.push({ ...rest, spec: { ...rest.spec, patches: [patch] } } as Workload);
  }
  return { valid, rejected };
}

test('there are permissions to misuse', () => expect(permissions.length).toBeGreaterThan(60));

describe.each(Object.keys(nativeKinds) as NativeKind[])('patches of %s', (kind) => {
  const objects = goldenObjects.filter((object) => object.kind === kind).slice(0, 2);
  const isPatchable = patchableKinds.some((patchable) => patchable === kind);

  test(isPatchable ? 'are valid in a manifest' : 'are not valid in a manifest', () => {
    const { valid } = parsePatches([{ kind, merge: { metadata: { annotations: { 'example.com/a': 'b' } } } }]);
    expect(valid).toHaveLength(isPatchable ? 1 : 0);
    expect(isPatchable && objects.length === 0).toBe(false);
  });

  test('never use a permission of the controller', () => {
    const attacks = [...misuses(kind), ...permissions.flatMap((permission) => grantsOf(kind, permission))];
    const { valid, rejected } = parsePatches(attacks);
    expect(valid.length + rejected).toBe(attacks.length);
    expect(valid.length > 100).toBe(isPatchable);
    const used = valid.filter((workload) => {
      const reported: unknown[] = [];
      const after = applyPatches(objects, workload, context, (problem) => reported.push(problem));
      return reported.length === 0 || JSON.stringify(after) !== JSON.stringify(objects);
    });
    expect(used.map(({ spec }) => spec.patches)).toEqual([]);
  });
});
