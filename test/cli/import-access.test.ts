import { loadAll } from 'js-yaml';
import { platformFile } from './import.cases';
import { pinion, writeFiles } from './terminal';

const workload = (name: string, ports = '') => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {automountServiceAccountToken: false, containers: [{name: app, image: 'registry.example.com/${name}:1'${ports}}]}
`;
const policy = (spec: string, name = 'rules') => `---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: ${name}, namespace: shop}
spec: {podSelector: {matchLabels: {app: web}}, ${spec}}
`;

/** Imports the Deployment web; returns its spec and the comments. */
async function importing(objects: string, platform = platformFile) {
  const own = workload('web', ', ports: [{name: http, containerPort: 8080}, {name: prom, containerPort: 9100}]');
  writeFiles({ 'old.yaml': own + workload('front') + workload('back') + objects, 'pinion.platform.yaml': platform });
  const { code, out, err } = await pinion(['import', 'deploy/web', '-f', 'old.yaml']);
  expect([code, err]).toEqual([0, '']);
  const [document] = loadAll(out) as { readonly spec: Readonly<Record<string, unknown>> }[];
  return { spec: document?.spec ?? {}, comments: out.replace(/\n# {3}/g, ' ') };
}

describe('a NetworkPolicy becomes spec.access', () => {
  test.each<[string, string, object]>([
    ['that denies everything', 'policyTypes: [Ingress, Egress]', { from: [], to: [] }],
    [
      'of workloads, by their names, and of ports, by their numbers',
      'ingress: [{from: [{podSelector: {matchLabels: {app: front}}}], ports: [{port: http}, {port: 81, protocol: UDP}]}]',
      { from: [{ workload: 'front', ports: [8080, 81] }] },
    ],
    [
      'of the namespace and of other namespaces',
      'ingress: [{from: [{podSelector: {}}, {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ops}}}]}]',
      { from: [{ project: 'shop' }, { project: 'ops' }] },
    ],
    [
      'of several namespaces',
      'ingress: [{from: [{namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [a, b]}]}}]}]',
      { from: [{ project: 'a' }, { project: 'b' }] },
    ],
    [
      'of address ranges, and DNS without an entry',
      'policyTypes: [Egress], egress: [{ports: [{port: 53, protocol: UDP}]}, {to: [{ipBlock: {cidr: 10.0.0.0/8}}], ports: [{port: 5432}]}]',
      { to: [{ cidr: '10.0.0.0/8', ports: [5432] }] },
    ],
    [
      'of DNS servers outside the cluster, and DNS of the cluster without an entry',
      'policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 1.1.1.1/32}}], ports: [{port: 53, protocol: UDP}]}, {to: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: kube-system}}, podSelector: {matchLabels: {k8s-app: kube-dns}}}], ports: [{port: 53}]}, {to: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ops}}}], ports: [{port: 53}]}]',
      {
        to: [
          { cidr: '1.1.1.1/32', ports: [53] },
          { project: 'ops', ports: [53] },
        ],
      },
    ],
  ])('%s', async (_, rules, access) => {
    const { spec, comments } = await importing(policy(rules));
    expect(spec['access']).toEqual(access);
    expect(comments).toContain('NetworkPolicy rules: is replaced by spec.access');
  });

  test('together with others', async () => {
    const front = 'ingress: [{from: [{podSelector: {matchLabels: {app: front}}}]}]';
    const both = policy(front) + policy('egress: [], policyTypes: [Egress]', 'out') + policy(front, 'same');
    expect((await importing(both)).spec['access']).toEqual({ from: [{ workload: 'front' }], to: [] });
  });

  test('and its peers are named, because they must be imported too', async () => {
    const { comments } = await importing(
      policy(
        'ingress: [{from: [{podSelector: {matchExpressions: [{key: app, operator: In, values: [back, front]}]}}]}]',
        'web',
      ),
    );
    expect(comments).toContain('so first import back, front; the new one has this name and replaces it at once');
  });
});

test.each([
  ['allows every peer', 'ingress: [{}]'],
  ['allows every peer', 'ingress: [{ports: [{port: 80}]}]'],
  ['allows all namespaces', 'ingress: [{from: [{namespaceSelector: {}}]}]'],
  [
    'selects namespaces by other labels than their names',
    'ingress: [{from: [{namespaceSelector: {matchLabels: {team: a}}}]}]',
  ],
  [
    'selects pods of another namespace by labels',
    'ingress: [{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ops}}, podSelector: {matchLabels: {app: x}}}]}]',
  ],
  ['selects pods of no workload that is read here', 'ingress: [{from: [{podSelector: {matchLabels: {app: gone}}}]}]'],
  ['excludes a part of an address range', 'ingress: [{from: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16]}}]}]'],
  ['has a range of ports, or SCTP', 'ingress: [{from: [{podSelector: {}}], ports: [{port: 80, endPort: 90}]}]'],
  [
    'has a range of ports, or SCTP',
    'policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 1.1.1.1/32}}], ports: [{port: 53, endPort: 9000}]}]',
  ],
  ['allows every peer', 'policyTypes: [Egress], egress: [{ports: [{port: 53, endPort: 9000}]}]'],
  [
    'has the port sql, whose number is not known',
    'policyTypes: [Egress], egress: [{to: [{podSelector: {}}], ports: [{port: sql}]}]',
  ],
])('a NetworkPolicy that %s stays, with its value', async (reason, rules) => {
  const { spec, comments } = await importing(policy(rules));
  expect(spec).not.toHaveProperty('access');
  expect(comments).toContain(`NetworkPolicy rules: is not converted, because it ${reason}`);
  expect(comments).toContain('it says {"podSelector":{"matchLabels":{"app":"web"}}');
});

test('says that the Platform denies by default', async () => {
  const denying = platformFile.replace('  ingress: {internal', '  network: {defaultDeny: true}\n  ingress: {internal');
  const { comments } = await importing(policy('policyTypes: [Egress]'), denying);
  expect(comments).toContain('this Platform denies traffic by default');
  expect(comments).toContain('set spec.access.from\n');
});

describe('a NetworkPolicy stays if a peer is not imported, such as', () => {
  const peer = (metadata: string, kind = 'Job', apiVersion = 'batch/v1') => `---
apiVersion: ${apiVersion}
kind: ${kind}
metadata: {name: seed, namespace: shop${metadata}}
spec: {template: {metadata: {labels: {app: front}}, spec: {containers: [{name: app, image: 'registry.example.com/seed:1'}]}}}
`;
  const fromFront = policy('ingress: [{from: [{podSelector: {matchLabels: {app: front}}}]}]');
  test.each([
    ['Job', peer(', annotations: {helm.sh/hook: pre-install}')],
    [
      'Job',
      peer(', ownerReferences: [{apiVersion: example.com/v1, kind: Seed, name: seed, uid: u, controller: true}]'),
    ],
    ['Rollout', peer('', 'Rollout', 'argoproj.io/v1alpha1')],
    ['Pod', '---\napiVersion: v1\nkind: Pod\nmetadata: {name: seed, namespace: shop, labels: {app: front}}\n'],
  ])('a %s of others: %#', async (kind, object) => {
    const { spec, comments } = await importing(object + fromFront);
    expect(spec).not.toHaveProperty('access');
    expect(comments).toContain(`is not converted, because it selects pods of ${kind} seed (not imported)`);
    const { out } = await pinion(['import', '-f', 'old.yaml']);
    expect(out.replace(/\n# {3}/g, ' ')).toContain(`because it selects pods of ${kind} seed (not imported)`);
  });

  test('and what a workload creates is part of it', async () => {
    const owner = ', ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: front, uid: u, controller: true}]';
    const { spec } = await importing(peer(owner, 'ReplicaSet', 'apps/v1') + fromFront);
    expect(spec['access']).toEqual({ from: [{ workload: 'front' }] });
  });

  test('and a workload of pinion has the name of its custom resource', async () => {
    const owner =
      ', ownerReferences: [{apiVersion: pinterest.com/v1, kind: PinterestService, name: main, uid: u, controller: true}]';
    const { spec } = await importing(peer(owner, 'Deployment', 'apps/v1') + fromFront);
    expect(spec['access']).toEqual({ from: [{ workload: 'front' }, { workload: 'main' }] });
  });
});

describe('a monitor becomes spec.metrics', () => {
  const service = `---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop, labels: {app: web}}
spec: {selector: {app: web}, ports: [{name: metrics, port: 90, targetPort: prom}]}
`;
  const monitor = (kind: string, field: string, endpoint: string, name = 'web') => `---
apiVersion: monitoring.coreos.com/v1
kind: ${kind}
metadata: {name: ${name}, namespace: shop}
spec: {selector: {matchLabels: {app: web}}, ${field}: [${endpoint}]}
`;
  test.each([
    ['ServiceMonitor', 'endpoints', '{port: metrics, path: /stats, interval: 15s}'],
    ['PodMonitor', 'podMetricsEndpoints', '{port: prom, path: /stats, interval: 15s}'],
  ])('of kind %s, and its other settings are said', async (kind, field, endpoint) => {
    const { spec, comments } = await importing(service + monitor(kind, field, endpoint));
    expect(spec['metrics']).toEqual({ port: 9100, path: '/stats' });
    expect(comments).toContain(`${kind} web: is replaced by spec.metrics with {"port":9100,"path":"/stats"}`);
    expect(comments).toContain('"interval":"15s"');
  });

  test('and another one stays, unless it has the same endpoint', async () => {
    const endpoint = '{port: prom, path: /stats}';
    const { spec, comments } = await importing(
      monitor('PodMonitor', 'podMetricsEndpoints', endpoint) +
        monitor('PodMonitor', 'podMetricsEndpoints', endpoint, 'same') +
        monitor('PodMonitor', 'podMetricsEndpoints', '{port: http, interval: 5s}', 'other'),
    );
    expect(spec['metrics']).toEqual({ port: 9100, path: '/stats' });
    for (const name of ['web', 'same'])
      expect(comments).toContain(`PodMonitor ${name}: is replaced by spec.metrics with`);
    expect(comments).toContain(
      `PodMonitor other: is not converted, because spec.metrics has one endpoint, {"port":9100,"path":"/stats"}; keep it`,
    );
    expect(comments).toContain('"interval":"5s"');
  });

  test('unless the number of its port is not known', async () => {
    const { spec, comments } = await importing(service + monitor('ServiceMonitor', 'endpoints', '{port: other}'));
    expect(spec).not.toHaveProperty('metrics');
    expect(comments).toContain('ServiceMonitor web: is not converted, because the number of its port is not known');
  });
});
