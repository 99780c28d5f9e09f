import { type Problem } from '../../../../lib/api';
import { safePlanPlatformStack, planPlatformStack, type PlatformStackInput } from '../../../../stacks/plan/platform';
import { makeFacts, plainFacts } from './make-facts';

const shortly = ({ code, path }: Problem): string => `${code} ${path.join('.')}`;
const problemsOf = (own: Partial<PlatformStackInput>): string[] => {
  const { stages, problems } = safePlanPlatformStack(makeFacts(own));
  expect(stages === undefined).toBe(problems.some(({ severity }) => severity !== 'warning'));
  return problems.map(shortly);
};
const platform = (own: object) => ({ platform: { ...plainFacts.platform, ...own } });
const [general, ...others] = plainFacts.nodeGroups as [
  PlatformStackInput['nodeGroups'][number],
  ...PlatformStackInput['nodeGroups'],
];
const submission = plainFacts.submission as NonNullable<PlatformStackInput['submission']>;
const { pods, services, overlay } = plainFacts.network;

const cases: readonly (readonly [string, Partial<PlatformStackInput>, readonly string[]])[] = [
  ['a submission service without a store', { artifacts: undefined }, ['required submission']],
  [
    'settings of the submission service that follow from the cluster, and ones that it does not know',
    { submission: { ...submission, settings: { ...submission.settings, artifactStore: '/store', colour: 'red' } } },
    ['platform-owned submission.settings.artifactStore', 'unknown-field submission.settings.colour'],
  ],
  [
    'a submission service that knows nobody',
    { submission: { ...submission, settings: {} } },
    ['required submission.settings.identity'],
  ],
  [
    'files of the submission service that no Secret brings',
    { submission: { ...submission, secrets: {} } },
    ['unknown-reference submission.settings.identity.session.keysFile'],
  ],
  [
    'variables that watcher and canary do not read, and a secret among them',
    {
      quotaMonitor: { image: 'registry.example.com/quota:1', env: { QUOTA_WEBHOOK: 'https://hooks.example.com' } },
      canary: { image: 'registry.example.com/canary:1', env: { CANARY_SIGNING_KEY: 'key' } },
    },
    ['unknown-field quotaMonitor.env.QUOTA_WEBHOOK', 'bad-format canary.env.CANARY_SIGNING_KEY'],
  ],
  [
    'a way to the submission service that the Platform does not have',
    { submission: { ...submission, exposure: 'External' } },
    ['not-available spec.loadBalancer.exposure'],
  ],
  [
    'runbooks that are at no URL, and a namespace that is none',
    { observability: { runbooks: 'docs/', namespace: 'Monitoring' } },
    ['bad-format observability.namespace', 'bad-format observability.runbooks'],
  ],
  ['an image without a tag', { controllerImage: 'pinion' }, ['bad-format controllerImage']],
  [
    'a field of the Platform that the cluster decides',
    platform({ region: 'eu-west-1' }),
    ['platform-owned platform.region'],
  ],
  [
    'a namespace of ingress controllers',
    platform({ network: { ingressNamespaces: ['web'] } }),
    ['platform-owned platform.network.ingressNamespaces'],
  ],
  ['a field that the Platform does not have', platform({ tears: [] }), ['unknown-field platform.tears']],
  ['a default tier that is none', platform({ defaultTier: 'gold' }), ['unknown-reference platform.defaultTier']],
  ['a default pool that is none', platform({ defaultPool: 'genral' }), ['unknown-reference platform.defaultPool']],
  [
    'a default pool that may be empty',
    platform({ defaultPool: 'batch' }),
    ['invalid-combination platform.defaultPool'],
  ],
  [
    'a domain that nobody writes names into',
    platform({ ingress: { external: { ingressClassName: 'external', domain: 'example.org' } } }),
    ['invalid-combination platform.ingress.external.domain'],
  ],
  ['no group that always has nodes', { nodeGroups: [{ ...general, min: 0 }, ...others] }, ['required nodeGroups']],
  ['a least above the most', { nodeGroups: [{ ...general, min: 300 }] }, ['invalid-combination nodeGroups.0.min']],
  [
    'the same group twice',
    { nodeGroups: [general, general] },
    ['duplicate nodeGroups.1.group', 'duplicate nodeGroups.1.pool'],
  ],
  ['a group without labels', { nodeGroups: [{ ...general, labels: {} }] }, ['required nodeGroups.0.labels']],
  ['a bound that bounds nothing', { bounds: { nodes: 1000 } }, ['out-of-range bounds.nodes']],
  ['a bound below what is always there', { bounds: { cpus: 10 } }, ['out-of-range bounds.cpus']],
  [
    'a carrier that is not let through',
    { network: { pods, services, overlay: { ...overlay, protocol: 'tcp' } } },
    ['not-available network.overlay.protocol'],
  ],
  ['too few addresses of pods', { network: { pods: '10.1.0.0/17', services, overlay } }, ['out-of-range network.pods']],
  [
    'addresses that are none',
    { network: { pods, services: '172.20.0.300/16', overlay } },
    ['bad-format network.services'],
  ],
  [
    'a mirror of a registry that nothing comes from',
    { registries: { 'gcr.io': 'mirror.example.com' } },
    ['unknown-reference registries.gcr.io'],
  ],
  ['a version that is not supported', { kubernetesVersion: '1.34' as '1.35' }, ['unsupported-value kubernetesVersion']],
];

test.each(cases)('%s is refused', (_, own, expected) => {
  expect(problemsOf(own)).toEqual(expected);
});

test('names that the internet would not find are warned of, and the platform is planned', () => {
  const both = platform({
    ingress: { internal: { ingressClassName: 'internal' }, external: { ingressClassName: 'external' } },
  });
  expect(problemsOf(both)).toEqual(['invalid-combination platform.ingress.external']);
  expect(problemsOf({ ...both, hostedZone: { ...plainFacts.hostedZone, type: 'public' } })).toEqual([]);
});

test('all that is wrong is told at once', () => {
  expect(problemsOf({ ...platform({ zones: [], defaultPool: 'batch' }), bounds: { nodes: 1 } })).toEqual([
    'platform-owned platform.zones',
    'out-of-range bounds.nodes',
    'invalid-combination platform.defaultPool',
  ]);
});

test('bounds below what groups add up to are those of the autoscaler', () => {
  const text = JSON.stringify(planPlatformStack(makeFacts({ bounds: { nodes: 100, cpus: 800, memoryGib: 3200 } })));
  for (const flag of ['--max-nodes-total=100', '--cores-total=0:800', '--memory-total=0:3200'])
    expect(text).toContain(`"${flag}"`);
});

test('anything that is no description of a cluster gets problems, and nothing is thrown', () => {
  for (const value of [undefined, null, 1, 'shop', [], {}])
    expect(safePlanPlatformStack(value).problems.length).toBeGreaterThan(0);
});
