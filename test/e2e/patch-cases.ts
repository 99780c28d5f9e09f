import { apiVersion, type ManifestInput } from '../../lib/api';

type Operation = readonly [op: 'add' | 'remove' | 'replace' | 'test', path: string, value?: unknown];

/** Patch that the API server must admit or reject by itself, and its workload. */
export interface PatchCase {
  readonly isAdmitted: boolean;
  readonly title: string;
  readonly input: ManifestInput;
}

/** Returns a service of the project shop with patches. */
export const servicePatchedBy = (patches: readonly object[], name = 'app'): ManifestInput =>
  ({
    apiVersion,
    kind: 'PinterestService',
    metadata: { name, namespace: 'shop' },
    spec: {
      loadBalancer: { port: 8080 },
      template: {
        spec: {
          securityContext: { runAsUser: 1000 },
          containers: [{ name: 'app', image: 'registry.example.com/app:1.4.2', ports: [{ containerPort: 8080 }] }],
        },
      },
      patches,
    },
  }) as unknown as ManifestInput;

/** Exceptions of the cluster that supports every case. */
export const richPatchExceptions: readonly object[] = [
  { project: 'shop', kind: 'Deployment', fields: ['/spec/template/spec/containers/*/env'] },
  {
    project: 'shop',
    workload: 'edge',
    kind: 'Ingress',
    fields: ['/spec/rules', '/metadata/annotations/a.kubernetes.io~1b'],
  },
  { project: 'shop', workload: 'edge', kind: 'Deployment', fields: ['/metadata/annotations'] },
];

const caseOf = (isAdmitted: boolean, patch: object, name?: string): PatchCase => ({
  isAdmitted,
  title: `${name ?? 'app'}: ${JSON.stringify(patch)}`,
  input: servicePatchedBy([patch], name),
});
const toPatch = (kind: string, [op, path, value]: Operation) => ({
  kind,
  operations: [{ op, path, ...(op !== 'remove' && { value }) }],
});
const admitted = (kind: string, ...operation: Operation): PatchCase => caseOf(true, toPatch(kind, operation));
const rejected = (kind: string, ...operation: Operation): PatchCase => caseOf(false, toPatch(kind, operation));
const rejectedMerge = (kind: string, merge: unknown): PatchCase => caseOf(false, { kind, merge });
const pod = '/spec/template/spec';

const admittedCases: readonly PatchCase[] = [
  admitted('Deployment', 'add', '/spec/minReadySeconds', 5),
  admitted('Deployment', 'add', `${pod}/hostAliases`, [{ ip: '10.0.0.1', hostnames: ['a.example.com'] }]),
  admitted('Deployment', 'add', '/metadata/annotations', { 'example.com/a': 'b' }),
  admitted('Deployment', 'add', `${pod}/containers/0/env`, [{ name: 'A', value: 'b' }]),
  caseOf(true, { kind: 'Service', merge: { spec: { trafficDistribution: 'PreferSameZone' } } }),
  caseOf(true, { kind: 'Deployment', merge: { metadata: { annotations: { 'example.com/a': 'b' } } } }),
  caseOf(true, { kind: 'Deployment', merge: { metadata: { annotations: { 'a.kubernetes.io/b': 'c' } } } }, 'edge'),
  caseOf(true, { kind: 'Ingress', merge: { metadata: { annotations: { 'a.kubernetes.io/b': 'c' } } } }, 'edge'),
];

const rejectedCases: readonly PatchCase[] = [
  rejected('Deployment', 'add', `${pod}/serviceAccountName`, 'deployer'),
  rejected('Deployment', 'add', `${pod}/hostPID`, true),
  rejected('Deployment', 'add', `${pod}/priorityClassName`, 'system-node-critical'),
  rejected('Deployment', 'add', `${pod}/tolerations`, [{ operator: 'Exists' }]),
  rejected('Deployment', 'add', `${pod}/nodeSelector`, { 'node-role.kubernetes.io/control-plane': '' }),
  rejected('Deployment', 'add', `${pod}/volumes/-`, { name: 'root', hostPath: { path: '/' } }),
  rejected('Deployment', 'add', `${pod}/containers/0/securityContext`, { privileged: true }),
  rejected('Deployment', 'replace', `${pod}/containers/0`, {}),
  rejected('Deployment', 'replace', '/spec', {}),
  rejected('Deployment', 'remove', pod),
  rejected('Deployment', 'add', '/spec/minReadySecondsToo', 1),
  rejected('Deployment', 'add', '/metadata/annotations/pinterest.com~1artifact', 'forged'),
  rejected('Deployment', 'add', '/metadata/annotations/deployment.kubernetes.io~1revision', '7'),
  rejected('Deployment', 'add', '/metadata/annotations', { 'pinterest.com/artifact': 'forged' }),
  rejected('Deployment', 'add', '/metadata/annotations', 'text'),
  rejected('Service', 'add', '/spec/externalIPs', ['10.0.0.1']),
  rejected('Service', 'replace', '/spec/type', 'LoadBalancer'),
  rejected('Ingress', 'replace', '/spec/rules/0/host', 'deploy.example.com'),
  rejected('Ingress', 'add', '/metadata/annotations/example.com~1waf', 'off'),
  rejected('Role', 'add', '/rules', []),
  rejected('RoleBinding', 'add', '/subjects', []),
  rejected('NetworkPolicy', 'replace', '/spec/podSelector', {}),
  rejectedMerge('Deployment', { spec: { template: { spec: { hostNetwork: true } } } }),
  rejectedMerge('Deployment', { spec: { template: { spec: null } } }),
  rejectedMerge('Deployment', { spec: null }),
  rejectedMerge('Deployment', { spec: ['minReadySeconds'] }),
  rejectedMerge('Deployment', { spec: 'minReadySeconds' }),
  rejectedMerge('Deployment', { metadata: { labels: { a: 'b' } } }),
  rejectedMerge('Deployment', { metadata: { annotations: { 'any.pinterest.com/a': 'b' } } }),
  rejectedMerge('Service', { metadata: { annotations: { 'lbipam.cilium.io/ips': '10.0.0.1' } } }),
  rejectedMerge('Service', { spec: { trafficDistribution: 'PreferSameZone', type: 'LoadBalancer' } }),
  rejectedMerge('ServiceAccount', { metadata: { annotations: { a: 'b' } } }),
  // Exceptions of another workload, and what no exception allows.
  rejectedMerge('Ingress', { metadata: { annotations: { 'a.kubernetes.io/b': 'c' } } }),
  caseOf(false, { kind: 'Ingress', merge: { metadata: { annotations: { 'a.kubernetes.io/c': 'c' } } } }, 'edge'),
  caseOf(false, { kind: 'Deployment', merge: { metadata: { annotations: { 'pinterest.com/a': 'c' } } } }, 'edge'),
];

/** Patches of every form, with and without exceptions. */
export const patchCases: readonly PatchCase[] = [...admittedCases, ...rejectedCases];

/** As many patches and operations as a workload may have, all of them patchable. */
export const largestPatches: readonly object[] = Array.from({ length: 32 }, (_, index) => ({
  kind: 'CronJob',
  operations: Array.from({ length: 64 }, (__, at) => ({
    op: 'add',
    path: `/spec/jobTemplate/spec/template/spec/subdomain/${'long-'.repeat(8)}${index}-${at}`,
    value: 'a',
  })),
}));
