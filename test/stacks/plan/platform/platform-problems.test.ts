import { type Problem } from '../../../../lib/api';
import { safePlanPlatformStack, planPlatformStack, type PlatformStackInput } from '../../../../stacks/plan/platform';
import { makePlatformInput, plainPlatformInput } from './make-platform-input';

const summaryOf = ({ code, path }: Problem): string => `${code} ${path.join('.')}`;
const problemsOf = (own: Partial<PlatformStackInput>): string[] => {
  const { stages, problems } = safePlanPlatformStack(makePlatformInput(own));
  expect(stages === undefined).toBe(problems.some(({ severity }) => severity !== 'warning'));
  return problems.map(summaryOf);
};
const platform = (own: object) => ({ platform: { ...plainPlatformInput.platform, ...own } });
const [general, ...others] = plainPlatformInput.nodeGroups as [
  PlatformStackInput['nodeGroups'][number],
  ...PlatformStackInput['nodeGroups'],
];
const submission = plainPlatformInput.submission as NonNullable<PlatformStackInput['submission']>;
const { pods, services, ...otherNetwork } = plainPlatformInput.network;

const cases: readonly (readonly [string, Partial<PlatformStackInput>, readonly string[]])[] = [
  ['a client monitor that gets no events', { auditEvents: false }, ['invalid-combination clientMonitorImage']],
  ['events without a client monitor', { clientMonitorImage: undefined }, ['required clientMonitorImage']],
  ['a submission service without a store', { artifacts: undefined }, ['required submission']],
  [
    'settings of the submission service that the cluster sets, and unknown ones',
    { submission: { ...submission, settings: { ...submission.settings, artifactStore: '/store', color: 'red' } } },
    ['platform-owned submission.settings.artifactStore', 'unknown-field submission.settings.color'],
  ],
  [
    'trusted proxies of a submission service behind an ingress controller',
    { submission: { ...submission, settings: { ...submission.settings, trustedProxies: ['10.0.0.0/8'] } } },
    ['platform-owned submission.settings.trustedProxies'],
  ],
  [
    'no subnets of load balancers, from a cluster stack that was not updated',
    { network: { pods, services, overlay: otherNetwork.overlay } as PlatformStackInput['network'] },
    ['required network.internalBalancers'],
  ],
  [
    'a submission service without a token issuer',
    { submission: { ...submission, settings: {} } },
    ['required submission.settings.identity'],
  ],
  [
    'files of the submission service that no Secret provides',
    { submission: { ...submission, secrets: {} } },
    ['unknown-reference submission.settings.identity.session.keysFile'],
  ],
  [
    'variables that quota monitor and canary do not read, including a secret',
    {
      quotaMonitor: { image: 'registry.example.com/quota:1', env: { QUOTA_WEBHOOK: 'https://hooks.example.com' } },
      canary: { image: 'registry.example.com/canary:1', env: { CANARY_SIGNING_KEY: 'key' } },
    },
    ['unknown-field quotaMonitor.env.QUOTA_WEBHOOK', 'bad-format canary.env.CANARY_SIGNING_KEY'],
  ],
  [
    'an exposure of the submission service that the Platform does not offer',
    { submission: { ...submission, exposure: 'External' } },
    ['not-available spec.loadBalancer.exposure'],
  ],
  [
    'runbooks without a valid URL, and an invalid namespace',
    { observability: { runbooks: 'docs/', namespace: 'Monitoring' } },
    ['bad-format observability.namespace', 'bad-format observability.runbooks'],
  ],
  ['an image without a tag', { controllerImage: 'pinion' }, ['bad-format controllerImage']],
  ['a Platform field that the cluster sets', platform({ region: 'eu-west-1' }), ['platform-owned platform.region']],
  [
    'a namespace of ingress controllers',
    platform({ network: { ingressNamespaces: ['web'] } }),
    ['platform-owned platform.network.ingressNamespaces'],
  ],
  ['a field that the Platform does not have', platform({ tears: [] }), ['unknown-field platform.tears']],
  ['a default tier that does not exist', platform({ defaultTier: 'gold' }), ['unknown-reference platform.defaultTier']],
  [
    'a default pool that does not exist',
    platform({ defaultPool: 'genral' }),
    ['unknown-reference platform.defaultPool'],
  ],
  [
    'a default pool that may be empty',
    platform({ defaultPool: 'batch' }),
    ['invalid-combination platform.defaultPool'],
  ],
  [
    'a domain without a DNS provider',
    platform({ ingress: { external: { ingressClassName: 'external', domain: 'example.org' } } }),
    ['invalid-combination platform.ingress.external.domain'],
  ],
  ['no group that always has nodes', { nodeGroups: [{ ...general, min: 0 }, ...others] }, ['required nodeGroups']],
  ['a minimum above the maximum', { nodeGroups: [{ ...general, min: 300 }] }, ['invalid-combination nodeGroups.0.min']],
  [
    'a duplicate group',
    { nodeGroups: [general, general] },
    ['duplicate nodeGroups.1.group', 'duplicate nodeGroups.1.pool'],
  ],
  ['a group without labels', { nodeGroups: [{ ...general, labels: {} }] }, ['required nodeGroups.0.labels']],
  ['a limit above the total of all groups', { bounds: { nodes: 1000 } }, ['out-of-range bounds.nodes']],
  ['a limit below the nodes that always run', { bounds: { cpus: 10 } }, ['out-of-range bounds.cpus']],
  [
    'an overlay protocol that is not supported',
    { network: { pods, services, ...otherNetwork, overlay: { ...otherNetwork.overlay, protocol: 'tcp' } } },
    ['not-available network.overlay.protocol'],
  ],
  [
    'too few pod addresses',
    { network: { pods: '10.1.0.0/17', services, ...otherNetwork } },
    ['out-of-range network.pods'],
  ],
  [
    'invalid addresses',
    { network: { pods, services: '172.20.0.300/16', ...otherNetwork } },
    ['bad-format network.services'],
  ],
  [
    'a mirror for a registry that no image uses',
    { registries: { 'gcr.io': 'mirror.example.com' } },
    ['unknown-reference registries.gcr.io'],
  ],
  ['a version that is not supported', { kubernetesVersion: '1.34' as '1.35' }, ['unsupported-value kubernetesVersion']],
];

test.each(cases)('rejects %s', (_, own, expected) => {
  expect(problemsOf(own)).toEqual(expected);
});

test('warns of names that do not resolve on the internet, and plans the platform', () => {
  const both = platform({
    ingress: { internal: { ingressClassName: 'internal' }, external: { ingressClassName: 'external' } },
  });
  expect(problemsOf(both)).toEqual(['invalid-combination platform.ingress.external']);
  expect(problemsOf({ ...both, hostedZone: { ...plainPlatformInput.hostedZone, type: 'public' } })).toEqual([]);
});

test('reports all problems at once', () => {
  expect(problemsOf({ ...platform({ zones: [], defaultPool: 'batch' }), bounds: { nodes: 1 } })).toEqual([
    'platform-owned platform.zones',
    'out-of-range bounds.nodes',
    'invalid-combination platform.defaultPool',
  ]);
});

test('limits below the total of the groups are passed to the autoscaler', () => {
  const text = JSON.stringify(
    planPlatformStack(makePlatformInput({ bounds: { nodes: 100, cpus: 800, memoryGib: 3200 } })),
  );
  for (const flag of ['--max-nodes-total=100', '--cores-total=0:800', '--memory-total=0:3200'])
    expect(text).toContain(`"${flag}"`);
});

test('reports problems of arbitrary input without throwing', () => {
  for (const value of [undefined, null, 1, 'shop', [], {}])
    expect(safePlanPlatformStack(value).problems.length).toBeGreaterThan(0);
});
