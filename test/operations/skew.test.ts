import { explainProblem } from '../../lib/api';
import { type SkewFacts, skewProblems } from '../../lib/operations';

const server = (name: string, version = 'v1.35.4') => ({ name, version });
const plain: SkewFacts = {
  apiServers: [server('a'), server('b'), server('c')],
  components: [{ name: 'kube-scheduler-1', version: 'v1.35.4', master: 'a' }],
  kubelets: [{ name: 'node-1', version: 'v1.35.4' }],
  masterTargets: [],
  poolTargets: [],
};
const masters = (version: string) => ['a', 'b', 'c'].map((name) => ({ name, version }));
const pool = (version: string) => [{ name: 'general', version }];
const said = (facts: Partial<SkewFacts>) => skewProblems({ ...plain, ...facts }).map(explainProblem);

test.each<[string, Partial<SkewFacts>]>([
  ['a new patch', { masterTargets: masters('1.35.9'), poolTargets: pool('1.35.9') }],
  ['an older patch', { masterTargets: masters('1.35.1') }],
  ['the next minor for masters alone', { masterTargets: masters('1.36.3') }],
  ['the next minor for masters and pools', { masterTargets: masters('1.36.3'), poolTargets: pool('1.36.3') }],
  ['pools three minors behind', { poolTargets: pool('1.32.1') }],
  [
    'an upgrade of masters that stopped after the first of them',
    {
      apiServers: [server('a', 'v1.36.3'), server('b'), server('c')],
      components: [
        { name: 'kube-scheduler-1', version: 'v1.36.3', master: 'a' },
        { name: 'kube-scheduler-2', version: 'v1.35.4', master: 'b' },
      ],
      masterTargets: masters('1.36.3').slice(1),
    },
  ],
  [
    'kubelets that are as old as may be after the upgrade',
    {
      kubelets: [{ name: 'node-1', version: 'v1.33.0' }],
      masterTargets: masters('1.36.3'),
    },
  ],
])('%s is no problem', (_, facts) => {
  expect(said(facts)).toEqual([]);
});

test('two minors at once are refused, for each master', () => {
  expect(said({ masterTargets: masters('1.37.0') })).toEqual(
    ['a', 'b', 'c'].map(
      (name) =>
        `error out-of-range: masters.${name}: "1.37.0" is 2 minors ahead of the API server of a, 1.35.4; API servers are upgraded one minor at a time; roll to 1.36 first`,
    ),
  );
});

test('an older minor is refused once one master has the newer one', () => {
  const apiServers = [server('a', 'v1.36.3'), server('b'), server('c')];
  const [first, ...more] = said({ apiServers, masterTargets: [{ name: 'a', version: '1.35.4' }] });
  expect(first).toContain('masters.a: "1.35.4" is older than the API server of a, 1.36.3');
  expect(more).toEqual([]);
});

test('kubelets are never newer than any API server', () => {
  expect(said({ poolTargets: pool('1.36.3') })).toEqual([
    'error contradiction: pools.general: "1.36.3" is newer than the API server of a, which will have 1.35.4; upgrade the masters to 1.36 first, or take an image with 1.35',
  ]);
  expect(said({ kubelets: [{ name: 'node-1', version: 'v1.36.3' }] })).toEqual([
    expect.stringContaining('kubelets["node-1"]: "1.36.3" is newer'.replace('["node-1"]', '.node-1')),
  ]);
});

test('kubelets that would fall four minors behind stop the upgrade of masters before it begins', () => {
  const kubelets = [
    { name: 'node-1', version: 'v1.32.9' },
    { name: 'node-2', version: 'v1.33.0' },
  ];
  expect(said({ kubelets, masterTargets: masters('1.36.3') })).toEqual([
    'error out-of-range: kubelets.node-1: "1.32.9" may be 3 minors older than API servers, and a gets 1.36.3; roll its pool to 1.33 or newer first',
  ]);
});

test('a controller manager goes with the API server of its own master', () => {
  const component = (version: string) => [{ name: 'kube-controller-manager-1', version, master: 'b' }];
  expect(said({ components: component('v1.36.0') })[0]).toContain('is newer than the API server of b');
  expect(said({ components: component('v1.34.0') })).toEqual([]);
  expect(said({ components: component('v1.33.0') })[0]).toContain('may be one minor older than its API server');
});

test('all problems come together, and a text that is no version is one of them', () => {
  const found = skewProblems({ ...plain, masterTargets: masters('newest'), poolTargets: pool('1.37.0') });
  expect(found.map(({ code }) => code)).toEqual(['bad-format', 'bad-format', 'bad-format', 'contradiction']);
});
