import { pinion, writeFiles } from './terminal';

const config = (name: string, more = 'data: {level: info}') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: shop}\n${more}\n`;
const secret = (name: string, more = 'stringData: {password: marker-7}') =>
  `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}, namespace: shop}\n${more}\n`;
// Values below variables and Secrets are not shown, because they may be secrets in the wrong place.
/** Returns what check prints about a workload beside native objects. */
async function check(workload: string, ...natives: readonly string[]): Promise<string> {
  writeFiles({ 'a.yaml': [workload, ...natives].join('---\n') });
  return (await pinion(['check', 'a.yaml', '-q'])).out;
}
const container = (fields: string, pod = '') => `apiVersion: pinterest.com/v1
kind: PinterestService
metadata: {name: cart, namespace: shop}
spec:
  template:
    spec:
      containers:
      - {name: app, image: "registry.example.com/cart:1", ${fields}}
${pod}`;
const envOf = (ref: string) => container(`env: [{name: A, valueFrom: {${ref}}}]`);

test.each([
  [
    'a key that a ConfigMap of the inputs lacks',
    envOf('configMapKeyRef: {name: settings, key: levle}'),
    'spec.template.spec.containers[0].env[0].valueFrom.configMapKeyRef.key: is not a key of ConfigMap shop/settings in these inputs, so that the container cannot start; did you mean "level"?',
  ],
  [
    'a key that a Secret of the inputs lacks, without its values',
    envOf('secretKeyRef: {name: db, key: user}'),
    'spec.template.spec.containers[0].env[0].valueFrom.secretKeyRef.key: is not a key of Secret shop/db in these inputs, so that the container cannot start; use password, or add the key',
  ],
  [
    'a key of spec.secrets',
    container('ports: []').replace('spec:\n', 'spec:\n  secrets: {env: {DB: {name: db, key: pasword}}}\n'),
    'spec.secrets.env.DB.key: is not a key of Secret shop/db in these inputs, so that the container cannot start; did you mean "password"?',
  ],
  [
    'a misspelled ConfigMap',
    container('envFrom: [{configMapRef: {name: setings}}]'),
    'spec.template.spec.containers[0].envFrom[0].configMapRef.name: is not a ConfigMap of project shop in these inputs; did you mean "settings"?',
  ],
  [
    'a misspelled Secret of a volume',
    container('ports: []', '      volumes: [{name: v, secret: {secretName: dbb}}]\n'),
    'spec.template.spec.volumes[0].secret.secretName: is not a Secret of project shop in these inputs; did you mean "db"?',
  ],
  [
    'a file of a volume',
    container('ports: []', '      volumes: [{name: v, configMap: {name: settings, items: [{key: lvl, path: l}]}}]\n'),
    'spec.template.spec.volumes[0].configMap.items[0].key: "lvl" is not a key of ConfigMap shop/settings in these inputs, so that the container cannot start; use level, or add the key',
  ],
  [
    'a file of a projected volume',
    container(
      'ports: []',
      '      volumes: [{name: v, projected: {sources: [{configMap: {name: settings, items: [{key: lvl, path: l}]}}]}}]\n',
    ),
    'spec.template.spec.volumes[0].projected.sources[0].configMap.items[0].key: "lvl" is not a key of ConfigMap shop/settings in these inputs, so that the container cannot start; use level, or add the key',
  ],
])('%s is a warning', async (_, workload, message) => {
  const out = await check(workload, config('settings'), secret('db'));
  expect(out).toContain(`warning unknown-reference: PinterestService shop/cart: ${message}\n`);
  expect(out.trim().split('\n')).toHaveLength(1);
  expect(out).not.toContain('marker');
});

test.each([
  ['a key that exists', envOf('configMapKeyRef: {name: settings, key: level}')],
  ['a key of binary data', envOf('configMapKeyRef: {name: binary, key: blob}')],
  ['an optional key', envOf('configMapKeyRef: {name: settings, key: levle, optional: true}')],
  ['an optional object', container('envFrom: [{configMapRef: {name: setings, optional: true}}]')],
  ['an object that the inputs do not have', envOf('secretKeyRef: {name: unrelated-credentials, key: user}')],
  ['a Secret that another object of the inputs creates', envOf('secretKeyRef: {name: dbs, key: user}')],
  ['an object of another namespace', envOf('configMapKeyRef: {name: other, key: x}')],
])('%s is no problem', async (_, workload) => {
  const sealed = 'apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: dbs, namespace: shop}\n';
  const foreign = config('other').replace('namespace: shop', 'namespace: cafe');
  expect(
    await check(
      workload,
      config('settings'),
      config('binary', 'binaryData: {blob: AAAA}'),
      secret('db'),
      sealed,
      foreign,
    ),
  ).toBe('');
});

test('native objects without a namespace are those of the project', async () => {
  const plain = config('settings').replace(', namespace: shop', '');
  expect(await check(envOf('configMapKeyRef: {name: settings, key: level}'), plain)).toBe('');
  expect(await check(envOf('configMapKeyRef: {name: settings, key: levle}'), plain)).toContain('did you mean "level"?');
});
