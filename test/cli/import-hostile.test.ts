import { loadAll } from 'js-yaml';
import { platformFile } from './import.cases';
import { pinion, writeFiles } from './terminal';

/** Imports all workloads of a file. */
async function importing(objects: string, ...more: string[]) {
  writeFiles({ 'old.yaml': objects, 'pinion.platform.yaml': platformFile });
  const result = await pinion(['import', '-f', 'old.yaml', ...more]);
  const comments = result.out
    .split('\n')
    .filter((line) => line.startsWith('#'))
    .map((line) => line.slice(1).trim())
    .join(' ');
  return { ...result, comments, documents: loadAll(result.out) };
}

const workload = (metadata: string, container = '', kind = 'Deployment', spec = ''): string => `apiVersion: apps/v1
kind: ${kind}
metadata: {${metadata}}
spec:
  ${spec}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: 'registry.example.com/web:1'${container}}]}
---
`;
const service = `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop, labels: null, annotations: null}
spec: {selector: {app: web}, ports: [{name: http, port: 80}]}
---
`;
const ingress = (path: string, metadata = '') => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: shop${metadata}}
spec:
  ingressClassName: external
  rules: [{host: web.example.com, http: {paths: [{path: '${path}', pathType: ImplementationSpecific, backend: {service: {name: web, port: {number: 80}}}}]}}]
  tls: [{hosts: [web.example.com], secretName: web-tls}]
---
`;

describe('metadata without values', () => {
  test('is imported as if it were absent', async () => {
    const { code, err, documents } = await importing(
      workload('name: web, namespace: shop, labels: null, annotations: null') +
        service +
        ingress('/', ', labels: null, annotations: null') +
        'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: x, labels: null, annotations: null}\n---\n' +
        'apiVersion: example.com/v1\nkind: Bare\nmetadata: null\n',
    );
    expect([code, err]).toEqual([0, '']);
    expect(documents).toMatchObject([{ kind: 'PinterestService', spec: { loadBalancer: { exposure: 'External' } } }]);
  });

  test.each(['12', '{a: b}', '[x]', 'true'])('is a problem if the name is %s', async (name) => {
    const { code, err, documents } = await importing(
      workload('name: web, namespace: shop') + `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`,
    );
    expect(code).toBe(1);
    expect(err).toContain('is not a text, so the object is not imported');
    expect(err).toContain('ConfigMap');
    expect(documents).toMatchObject([{ metadata: { name: 'web' } }]);
  });
});

describe('a namespace', () => {
  test('is asked for if the manifests have none', async () => {
    const without = await importing(workload('name: web'));
    expect([without.code, without.out]).toEqual([2, '']);
    expect(without.err).toContain('Deployment web in old.yaml has no namespace; add -n NAMESPACE');
    const chosen = await importing(workload('name: web'), '-n', 'shop');
    expect([chosen.code, chosen.err]).toEqual([0, '']);
    expect(chosen.documents).toMatchObject([{ metadata: { name: 'web', namespace: 'shop' } }]);
  });

  test.each(['default', 'kube-system', 'No_Name'])('is a problem of the workload if it is %s', async (namespace) => {
    const { code, err, documents } = await importing(
      workload(`name: web, namespace: ${namespace}`) + workload('name: cart, namespace: shop'),
    );
    expect(code).toBe(1);
    expect(err).toContain('cannot be imported there');
    expect(documents).toMatchObject([{ metadata: { name: 'cart' } }]);
  });
});

test.each(['\\n', '\\r', '\\N', '\\L', '\\P', '\\e[2J\\n'])(
  'the line break %s of a name does not end a comment',
  async (end) => {
    const evil = `"x${end}kind: Evil"`;
    const { code, out, documents } = await importing(
      workload('name: web, namespace: shop') +
        `apiVersion: example.com/v1\nkind: "Widget${end}a: b"\nmetadata: {name: ${evil}, namespace: ${evil}}\n---\n` +
        service.replace('annotations: null', `annotations: {example.com/note: ${evil}}`),
    );
    expect(code).toBe(0);
    expect(documents).toMatchObject([{ kind: 'PinterestService' }]);
    expect(out).not.toMatch(/^(kind: Evil|a: b)/m);
    expect(out).not.toMatch(/[\r\u0085\u2028\u2029\u001b]/);
  },
);

describe('a pattern', () => {
  test.each([
    ['/a/b|/c', '/'],
    ['/foo$|/bar', '/'],
    ['/foo(/|$)(.*)', '/foo'],
    ['/foo/[|]x', '/foo'],
    ['/foo/a\\|x', '/foo'],
    // Each of these matches /foobar, too.
    ['/foo(/bar)?', '/'],
    ['/foo(/bar)*', '/'],
    ['/foo(/bar){0,1}', '/'],
    ['/foo(/bar|bar)', '/'],
    ['/foo(|/bar)', '/'],
    ['/foo/?(.*)', '/'],
    ['/foo(/?)(.*)', '/'],
    ['/api/foo(/bar)?', '/api'],
    ['/a.i/(.*)', '/'],
    ['/foo(?:/|$)(.*)', '/foo'],
    ['/foo(/a|/b)', '/foo'],
    ['/foo((/a)|/b)', '/'],
    ['/foo$', '/foo'],
    ['/foo/+x', '/foo'],
    ['/foo/*', '/foo'],
    ['/*', '/'],
    ['/foo(/[)]|x)', '/'],
  ])('of %s becomes the prefix %s', async (pattern, prefix) => {
    const { comments } = await importing(workload('name: web, namespace: shop') + service + ingress(pattern));
    expect(comments).toContain(`becomes the prefix "${prefix}"`);
  });
});

test('an empty text that is lost is reported', async () => {
  const { comments } = await importing(
    workload('name: web, namespace: shop') + service.replace('annotations: null', 'annotations: {example.com/a: ""}'),
  );
  expect(comments).toContain('Service web: metadata.annotations["example.com/a"]: "" is not carried over');
});

describe('secrets are hidden in comments', () => {
  test('of rejected fields and lost values', async () => {
    const { code, out, comments } = await importing(
      workload(
        'name: web, namespace: shop',
        ', env: [{name: PINION_TOKEN, value: hunter3}, {name: PINION_URL, value: "http://me:hunter4@db"}]',
      ) +
        service.replace(
          'annotations: null',
          'annotations: {example.com/token: hunter5, example.com/dsn: "Server=db;Password=hunter6", example.com/x: shown}',
        ),
    );
    expect(code).toBe(0);
    expect(out).not.toContain('hunter');
    expect(comments).toContain('was {"name":"PINION_TOKEN","value":"(hidden)"}');
    expect(comments).not.toContain('was PINION_');
    expect(comments).toContain('metadata.annotations["example.com/token"]: "(hidden)" is not carried over');
    expect(comments).toContain('metadata.annotations["example.com/x"]: "shown" is not carried over');
  });

  test('of connected objects', async () => {
    const { out, comments } = await importing(
      workload('name: web, namespace: shop') +
        `apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web, namespace: shop}
spec:
  scaleTargetRef: {name: web}
  triggers: [{type: rabbitmq, metadata: {host: 'amqp://me:hunter1@queue', password: hunter2, queueName: jobs}}]
---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: web, namespace: shop}
spec: {selector: {matchLabels: {app: web}}, podMetricsEndpoints: [{port: metrics, params: {token: [hunter3]}}]}
`,
    );
    expect(out).not.toContain('hunter');
    expect(comments).toContain('"queueName":"jobs"');
    expect(comments).toContain('"params":{"token":["(hidden)"]}');
  });

  test('of texts that hold an old name', async () => {
    const { out, comments } = await importing(
      workload('name: web, namespace: shop', '', 'StatefulSet', 'serviceName: web-pods') +
        `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {app.cfg: "peer=http://me:hunter1@web-0.web-pods:80 hunter2"}
`,
      ...['sts/web', '--name', 'zoo'],
    );
    expect(out).not.toContain('hunter');
    expect(comments).toContain('app.cfg of ConfigMap settings (web-0.web-pods)');
  });
});
