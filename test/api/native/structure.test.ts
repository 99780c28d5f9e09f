import * as fc from 'fast-check';
import { checkNative, isTypeName, type NativeOptions, structureOf, type TypeName } from '../../../lib/api/native';
import { structureTexts } from '../../../lib/api/native/structures.generated';
import { explainProblem, formatPath, type Problem } from '../../../lib/api/problem';

function check(type: TypeName, value: unknown, options?: NativeOptions): Problem[] {
  const problems: Problem[] = [];
  checkNative(type, value, ['spec'], (problem) => problems.push(problem), options);
  return problems;
}

const brief = ({ code, path }: Problem): string => `${code} ${formatPath(path)}`;

test('reports every structural problem of a pod with its own path', () => {
  const container = {
    name: 'a',
    image: 'x',
    imag: 'x',
    env: [{ name: 'A', value: 5 }, { name: 'A' }],
    ports: [{ containerPort: '80' }],
  };
  expect(check('PodSpec', { containers: [container], volumes: {}, dnsPolicy: 'none' }).map(brief)).toEqual([
    'unknown-field spec.containers[0].imag',
    'wrong-type spec.containers[0].env[0].value',
    'duplicate spec.containers[0].env[1].name',
    'wrong-type spec.containers[0].ports[0].containerPort',
    'wrong-type spec.volumes',
    'unsupported-value spec.dnsPolicy',
  ]);
});

test.each([
  ['imagepullpolicy', 'imagePullPolicy'],
  ['volumeMount', 'volumeMounts'],
  ['livenesProbe', 'livenessProbe'],
  ['commnad', 'command'],
])('corrects %s to %s', (given, meant) => {
  const [problem] = check('Container', { name: 'a', image: 'x', [given]: 1 });
  expect(problem).toMatchObject({ code: 'unknown-field', path: ['spec', given], remedy: `did you mean ${meant}?` });
});

test('lists the known fields if no name is similar', () => {
  const [problem] = check('Container', { name: 'a', image: 'x', whatever: 1 });
  expect(problem?.remedy).toMatch(/^remove it; Container has args, command,/);
});

test('never shows values that may be secret', () => {
  const secret = 'hunter2';
  const container = {
    name: 'a',
    image: 'x',
    env: [
      { name: 'A', value: { secret } },
      { name: 'B', value: [secret] },
      { name: 'C', vlaue: secret },
      { name: 'D', value: 4711 },
    ],
    livenessProbe: { httpGet: { port: 1, httpHeaders: [{ name: 'Authorization', value: 4711 }] } },
  };
  const text = check('Container', container).map(explainProblem).join('\n');
  expect(text).toContain('env[3].value');
  expect(text).not.toMatch(/hunter2|4711/);
  const kind = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
  const data = check('Secret', { ...kind, data: { a: secret }, stringData: { b: 4711 } });
  expect(data.map(brief)).toEqual(['bad-format spec.data.a', 'wrong-type spec.stringData.b']);
  expect(data.map(explainProblem).join()).not.toMatch(/hunter2|4711/);
});

test('a field of a newer Kubernetes version is a problem for an older one', () => {
  const pod = { containers: [{ name: 'a', image: 'x' }], schedulingGroup: { podGroupName: 'a' } };
  expect(check('PodSpec', pod, { version: '1.36' })).toEqual([]);
  expect(check('PodSpec', pod, { version: '1.35' }).map(brief)).toEqual(['unsupported-field spec.schedulingGroup']);
});

test('rejects fields that the platform manages by name, or skips them where another check covers them', () => {
  const pod = { containers: [{ name: 'a', image: 'x' }], nodeName: 'A', priority: 'x' };
  const owned = { PodSpec: { nodeName: 'set spec.placement', priority: 'set spec.tier' } };
  expect(check('PodSpec', pod, { omit: owned })).toEqual([
    {
      code: 'platform-owned',
      path: ['spec', 'nodeName'],
      reason: 'is set by the platform',
      remedy: 'set spec.placement',
    },
    { code: 'platform-owned', path: ['spec', 'priority'], reason: 'is set by the platform', remedy: 'set spec.tier' },
  ]);
  expect(check('PodSpec', pod, { omit: { PodSpec: ['nodeName', 'priority'] } })).toEqual([]);
});

test('a complete object requires apiVersion and kind', () => {
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' }, immutable: true };
  expect(check('ConfigMap', config)).toEqual([]);
  expect(check('ConfigMap', { ...config, apiVersion: 'v2', kind: undefined }).map(brief)).toEqual([
    'unsupported-value spec.apiVersion',
    'required spec.kind',
  ]);
});

test.each<[string, TypeName, unknown, string]>([
  [
    'a Job with restart policy Always',
    'JobSpec',
    { template: { spec: pod() } },
    'unsupported-value spec.template.spec.restartPolicy',
  ],
  [
    'a Deployment with restart policy Never',
    'DeploymentSpec',
    { selector: {}, template: { spec: { ...pod(), restartPolicy: 'Never' } } },
    'unsupported-value spec.template.spec.restartPolicy',
  ],
  [
    'a Deployment that selects other pods',
    'DeploymentSpec',
    { selector: { matchLabels: { app: 'a' } }, template: { metadata: { labels: { app: 'b' } }, spec: pod() } },
    'invalid-combination spec.selector.matchLabels.app',
  ],
  [
    'a negative number of replicas',
    'DeploymentSpec',
    { replicas: -1, selector: {}, template: { spec: pod() } },
    'out-of-range spec.replicas',
  ],
  ['a Service with unnamed ports', 'ServiceSpec', { ports: [{ port: 1 }, { port: 2 }] }, 'required spec.ports[0].name'],
  [
    'a disruption budget with minAvailable and maxUnavailable',
    'PodDisruptionBudgetSpec',
    { minAvailable: 1, maxUnavailable: 1 },
    'invalid-combination spec.maxUnavailable',
  ],
  [
    'an autoscaler with more minReplicas than maxReplicas',
    'HorizontalPodAutoscalerSpec',
    { minReplicas: 3, maxReplicas: 2 },
    'invalid-combination spec.minReplicas',
  ],
  ['an empty backend', 'IngressBackend', {}, 'invalid-combination spec'],
  [
    'an address block with a selector',
    'NetworkPolicyPeer',
    { ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} },
    'invalid-combination spec.ipBlock',
  ],
  ['an invalid ConfigMap key', 'ConfigMap', { data: { 'a/b': '' } }, 'bad-format spec.data["a/b"]'],
])('%s is a problem', (_title, type, value, problem) => {
  expect(check(type, value).map(brief)).toContain(problem);
});

test('pods of a stateful set can mount its claims, and pods of the platform its added volumes', () => {
  const mounts = { containers: [{ name: 'a', image: 'x', volumeMounts: [{ name: 'data', mountPath: '/data' }] }] };
  const claim = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  expect(check('StatefulSetSpec', { selector: {}, template: { spec: mounts }, volumeClaimTemplates: [claim] })).toEqual(
    [],
  );
  expect(check('PodSpec', mounts, { volumes: ['data'] })).toEqual([]);
  expect(check('PodSpec', mounts).map(brief)).toEqual(['unknown-reference spec.containers[0].volumeMounts[0].name']);
});

function pod(): Record<string, unknown> {
  return { containers: [{ name: 'a', image: 'x' }] };
}

test('labels and annotations must have the format that Kubernetes requires', () => {
  const metadata = { labels: { 'a b': 'c', ok: 'd e' }, annotations: { 'Example.com/A': 'any text', '-': '' } };
  expect(check('ObjectMeta', metadata).map(brief)).toEqual([
    'bad-format spec.labels["a b"]',
    'bad-format spec.labels.ok',
    'bad-format spec.annotations["-"]',
  ]);
});

test('undefined counts as absent', () => {
  expect(check('Container', { name: 'a', image: 'x', env: undefined, whatever: undefined })).toEqual([]);
});

test('parses every line of the generated table', () => {
  for (const name of Object.keys(structureTexts).filter(isTypeName)) {
    for (const field of structureOf(name).fields.values()) {
      const scalar = /^(string|boolean|int32|int64|number|int-or-string|quantity|time|bytes|any|object|list|map)$/;
      expect(field.kind).toMatch(scalar);
      if (field.items) expect(field.items.kind).toMatch(scalar);
    }
  }
});

const name = fc.stringMatching(/^[a-z]([-a-z0-9]{0,20}[a-z0-9])?$/);
const probe = fc.record(
  {
    tcpSocket: fc.record({ port: fc.integer({ min: 1, max: 65535 }) }),
    periodSeconds: fc.nat(100),
    failureThreshold: fc.nat(10),
  },
  { requiredKeys: ['tcpSocket'] },
);
const container = fc.record(
  {
    name,
    image: fc.stringMatching(
      /^registry\.example\.com:5000(\/[a-z0-9]{1,5}((_|__|\.|-{1,3})[a-z0-9]{1,5})?){1,3}(:\w[\w.-]{0,9})?$/,
    ),
    env: fc.uniqueArray(fc.record({ name: fc.stringMatching(/^[A-Z_]{1,20}$/), value: fc.string() }), {
      selector: (entry) => entry.name,
    }),
    ports: fc.uniqueArray(fc.record({ containerPort: fc.integer({ min: 1, max: 65535 }) }), {
      selector: (entry) => entry.containerPort,
    }),
    resources: fc
      .tuple(fc.integer({ min: 1, max: 4000 }), fc.nat(4000))
      .map(([cpu, more]) => ({ requests: { cpu: `${cpu}m` }, limits: { cpu: `${cpu + more}m`, memory: '1Gi' } })),
    livenessProbe: probe,
    readinessProbe: probe,
    args: fc.array(fc.string()),
  },
  { requiredKeys: ['name', 'image'] },
);

test('generated containers have no problems, are not changed and give the same result twice', () => {
  fc.assert(
    fc.property(container, (value) => {
      const before = JSON.stringify(value);
      expect(check('Container', value).map(explainProblem)).toEqual([]);
      expect(JSON.stringify(value)).toBe(before);
    }),
  );
});

test('no value makes the check throw', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<TypeName>('PodSpec', 'Container', 'Volume', 'Probe', 'ResourceRequirements'),
      fc.anything(),
      (type, value) => {
        const fields = [...structureOf(type).fields.keys()];
        expect(() => check(type, value)).not.toThrow();
        expect(() => check(type, Object.fromEntries(fields.map((field) => [field, value])))).not.toThrow();
      },
    ),
  );
});
