import { explainProblem } from '../../lib/api';
import { type VersionSkewInput, skewProblems } from '../../lib/operations';

const server = (name: string, version = 'v1.35.4') => ({ name, version });
const plain: VersionSkewInput = {
  apiServers: [server('a'), server('b'), server('c')],
  components: [{ name: 'kube-scheduler-1', version: 'v1.35.4', node: 'a' }],
  kubelets: [{ name: 'node-1', version: 'v1.35.4' }],
  controlPlaneTargets: [],
  poolTargets: [],
};
const controlPlane = (version: string) => ['a', 'b', 'c'].map((name) => ({ name, version }));
const pool = (version: string) => [{ name: 'general', version }];
const explain = (facts: Partial<VersionSkewInput>) => skewProblems({ ...plain, ...facts }).map(explainProblem);

test.each<[string, Partial<VersionSkewInput>]>([
  ['a new patch', { controlPlaneTargets: controlPlane('1.35.9'), poolTargets: pool('1.35.9') }],
  ['an older patch', { controlPlaneTargets: controlPlane('1.35.1') }],
  ['the next minor for the control plane', { controlPlaneTargets: controlPlane('1.36.3') }],
  [
    'the next minor for control plane and pools',
    { controlPlaneTargets: controlPlane('1.36.3'), poolTargets: pool('1.36.3') },
  ],
  ['pools three minors behind', { poolTargets: pool('1.32.1') }],
  [
    'a control plane upgrade that stopped after the first node',
    {
      apiServers: [server('a', 'v1.36.3'), server('b'), server('c')],
      components: [
        { name: 'kube-scheduler-1', version: 'v1.36.3', node: 'a' },
        { name: 'kube-scheduler-2', version: 'v1.35.4', node: 'b' },
      ],
      controlPlaneTargets: controlPlane('1.36.3').slice(1),
    },
  ],
  [
    'kubelets with the maximum skew after the upgrade',
    {
      kubelets: [{ name: 'node-1', version: 'v1.33.0' }],
      controlPlaneTargets: controlPlane('1.36.3'),
    },
  ],
])('%s is not a problem', (_, facts) => {
  expect(explain(facts)).toEqual([]);
});

test('rejects two minors at once, for each control plane node', () => {
  expect(explain({ controlPlaneTargets: controlPlane('1.37.0') })).toEqual(
    ['a', 'b', 'c'].map(
      (name) =>
        `error out-of-range: controlPlane.${name}: "1.37.0" is 2 minor versions ahead of the API server of a, 1.35.4; API servers are upgraded one minor version at a time; roll to 1.36 first`,
    ),
  );
});

test('rejects an older minor than the newest API server', () => {
  const apiServers = [server('a', 'v1.36.3'), server('b'), server('c')];
  const [first, ...more] = explain({ apiServers, controlPlaneTargets: [{ name: 'a', version: '1.35.4' }] });
  expect(first).toContain('controlPlane.a: "1.35.4" is older than the API server of a, 1.36.3');
  expect(more).toEqual([]);
});

test('rejects kubelets that are newer than an API server', () => {
  expect(explain({ poolTargets: pool('1.36.3') })).toEqual([
    'error invalid-combination: pools.general: "1.36.3" is newer than the API server of a, which will have 1.35.4; upgrade the control plane to 1.36 first, or use an image with 1.35',
  ]);
  expect(explain({ kubelets: [{ name: 'node-1', version: 'v1.36.3' }] })).toEqual([
    expect.stringContaining('kubelets["node-1"]: "1.36.3" is newer'.replace('["node-1"]', '.node-1')),
  ]);
});

test('rejects a control plane upgrade that leaves kubelets four minors behind', () => {
  const kubelets = [
    { name: 'node-1', version: 'v1.32.9' },
    { name: 'node-2', version: 'v1.33.0' },
  ];
  expect(explain({ kubelets, controlPlaneTargets: controlPlane('1.36.3') })).toEqual([
    'error out-of-range: kubelets.node-1: "1.32.9" would be more than 3 minor versions older than the API server of a, 1.36.3; roll its pool to 1.33 or newer first',
  ]);
});

test('compares a controller manager with the API server of its node', () => {
  const component = (version: string) => [{ name: 'kube-controller-manager-1', version, node: 'b' }];
  expect(explain({ components: component('v1.36.0') })[0]).toContain('is newer than the API server of b');
  expect(explain({ components: component('v1.34.0') })).toEqual([]);
  expect(explain({ components: component('v1.33.0') })[0]).toContain(
    'is more than one minor version older than its API server',
  );
});

test('returns all problems at once, including invalid versions', () => {
  const found = skewProblems({ ...plain, controlPlaneTargets: controlPlane('newest'), poolTargets: pool('1.37.0') });
  expect(found.map(({ code }) => code)).toEqual(['bad-format', 'bad-format', 'bad-format', 'invalid-combination']);
});
