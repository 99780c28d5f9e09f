import { apiVersion, parseManifest, type PlatformManifest, type SpecInput, type Workload } from '../../../lib/api';
import { defaultProfile, resolvePlatform, safeExpand, type ProjectContext } from '../../../lib/expand';
import { makeProjectContext, type ProjectContextOverrides } from '../../../lib/testing';

const digest = `@sha256:${'a'.repeat(64)}`;
const projectOf = (clusters: readonly string[]) =>
  parseManifest({
    apiVersion,
    kind: 'Project',
    metadata: { name: 'shop' },
    spec: {
      team: 'commerce',
      podSecurity: 'baseline',
      members: [{ name: 'release', role: 'edit' }],
      stages: [{ name: 'production', clusters, deployers: ['release'] }],
    },
  }) as PlatformManifest;
const serviceOf = (spec: object, overrides: object = {}): Workload =>
  parseManifest({
    apiVersion,
    kind: 'PinterestService',
    metadata: { name: 'cart', namespace: 'shop' },
    spec: {
      template: {
        spec: { securityContext: { runAsUser: 1000 }, ...spec },
      } as SpecInput<'PinterestService'>['template'],
      ...overrides,
    },
  });
const container = (image: string, name = 'app') => ({ name, image });
const found = (workload: Workload, clusters = ['local']) =>
  foundIn(resolvePlatform([projectOf(clusters)]).project('shop'), workload);
const foundIn = (context: ProjectContext, workload: Workload) =>
  safeExpand(workload, context)
    .problems.filter(({ rule }) => rule === 'image-digest')
    .map(({ path, value }) => `${path.join('.')} ${String(value)}`);

test('every image of a workload in a protected project needs a digest', () => {
  const workload = serviceOf({
    initContainers: [container('registry.example.com/init:1', 'init'), container(`init${digest}`, 'pinned')],
    containers: [
      container('registry.example.com/app:1'),
      container(`registry.example.com/app:1${digest}`, 'pinned-too'),
    ],
    volumes: [{ name: 'model', image: { reference: 'registry.example.com/model:latest' } }],
  });
  expect(found(workload).sort()).toEqual([
    'spec.template.spec.containers.0.image registry.example.com/app:1',
    'spec.template.spec.initContainers.0.image registry.example.com/init:1',
    'spec.template.spec.volumes.0.image.reference registry.example.com/model:latest',
  ]);
  expect(found(workload, ['prod-1'])).toEqual([]);
});

test('the images of variants need a digest, too, and keep the path of their field', () => {
  const variants = [{ name: 'v1' }, { name: 'v2', image: 'evil:1' }, { name: 'v3', image: `app:3${digest}` }];
  const workload = serviceOf({ containers: [container(`app:1${digest}`)] }, { variants });
  expect(found(workload)).toEqual(['spec.variants.1.image evil:1']);
  expect(found(workload, ['prod-1'])).toEqual([]);
});

test('the image of a hook needs a digest, and one that it has from the app is reported once', () => {
  const hooks = [
    { name: 'own', image: 'registry.example.com/migrations:1' },
    { name: 'pinned', image: `registry.example.com/migrations:1${digest}` },
    { name: 'inherited', args: ['migrate'] },
  ];
  const workload = serviceOf({ containers: [container('registry.example.com/app:1')] }, { beforeDeployment: hooks });
  expect(found(workload).sort()).toEqual([
    'spec.beforeDeployment.0.image registry.example.com/migrations:1',
    'spec.template.spec.containers.0.image registry.example.com/app:1',
  ]);
});

test.each(['app', 'app:1', `app@sha512:${'a'.repeat(128)}`])('the image %s has no digest', (image) =>
  expect(found(serviceOf({ containers: [container(image)] }))).toHaveLength(1),
);

test.each([`app@sha256:${'a'.repeat(63)}`, `app${digest}:1`, `app${digest.toUpperCase()}`, 'app@1'])(
  'the digest of the image %s is rejected before the policy sees it',
  (image) => expect(() => serviceOf({ containers: [container(image)] })).toThrow('has an invalid digest'),
);

test('an image has one message: about its digest in a protected project, else about its tag', () => {
  const workload = serviceOf({ containers: [container('app:latest')] });
  const rulesIn = (clusters: string[]) =>
    safeExpand(workload, resolvePlatform([projectOf(clusters)]).project('shop')).problems.map(({ rule }) => rule);
  expect(rulesIn(['local'])).toEqual(['image-digest']);
  expect(rulesIn(['prod-1'])).toEqual(['image-tag']);
});

test('a patch that the Platform permits cannot set an image without a digest', () => {
  const patch = {
    kind: 'Deployment',
    operations: [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'evil:1' }],
  };
  const context = makeProjectContext({
    platform: {
      patchExceptions: [{ project: 'shop', kind: 'Deployment', fields: ['/spec/template/spec/containers/0/image'] }],
    },
    project: projectOf(['local']).spec,
  } as ProjectContextOverrides);
  const patched = serviceOf({ containers: [container(`app${digest}`)] }, { patches: [patch] });
  expect(foundIn(context, patched)).toEqual(['spec.patches evil:1']);
});

test('the images of the runtime profile are those of the platform', () => {
  const sidecars = defaultProfile.spec.parts?.flatMap(({ pod }) => pod?.sidecars ?? []) ?? [];
  expect(sidecars.some(({ image = '' }) => image !== '' && !image.includes('@'))).toBe(true);
  expect(found(serviceOf({ containers: [container(`app${digest}`)] }))).toEqual([]);
});
