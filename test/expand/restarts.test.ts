import {
  parseManifest,
  expand,
  resolvePlatform,
  type ManifestInput,
  type PlatformManifest,
  type Workload,
} from '@pinion-platform/pinion';
import { defaultPlatform } from '../../lib/expand';

type Fields = Readonly<Record<string, unknown>>;

const workload = parseManifest({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  metadata: { name: 'cart', namespace: 'shop' },
  spec: {
    iamRole: 'reader',
    replicas: 3,
    loadBalancer: { port: 8080 },
    template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/cart:2.7.0' }] } },
  },
} as ManifestInput<'PinterestService'>) as unknown as Workload;

const podsOn = (platform: Fields, project: Fields): unknown => {
  const documents = [
    { ...defaultPlatform, spec: { ...defaultPlatform.spec, ...platform } },
    {
      apiVersion: 'pinterest.com/v1',
      kind: 'Project',
      metadata: { name: 'shop' },
      spec: { team: 'retail', iamRoles: ['reader'], ...project },
    },
  ].map((document) => parseManifest(document as ManifestInput<'Platform' | 'Project'>)) as PlatformManifest[];
  const objects = expand(workload, resolvePlatform(documents).project('shop'));
  return (objects.find(({ kind }) => kind === 'Deployment')?.['spec'] as { template: unknown }).template;
};
const { pools = [], tiers } = defaultPlatform.spec;
const tier = { name: 'standard', priority: 7, preemption: false };
const ingress = { ingressClassName: 'nginx', domain: 'other.example.com', clusterIssuer: 'letsencrypt' };

/** Changes of custom resources that restart no pods. */
test.each<[string, Fields, Fields]>([
  ['another pool', { pools: [...pools, { name: 'spot', nodeSelector: { spot: 'true' } }] }, {}],
  ['another tier, and another priority of the current one', { tiers: [tier, { name: 'new', priority: 1 }] }, {}],
  ['zones', { zones: ['us-east-1a'] }, {}],
  ['a domain', { domain: 'other.example.com' }, {}],
  ['ingresses', { ingress: { internal: ingress, external: ingress } }, {}],
  ['storage classes', { storage: { classes: ['fast'], defaultClass: 'fast' } }, {}],
  ['network policies', { network: { defaultDeny: true, dnsNamespace: 'dns' } }, {}],
  ['adapters', { scaling: { customAdapter: 'prometheus', scheduledAdapter: 'clock' } }, {}],
  ['a newer Kubernetes version', { kubernetesVersion: '1.35' }, {}],
  ['quotas', { defaultQuota: { pods: '7' } }, { quota: { pods: '9' } }],
  [
    'members, links and on-call hours',
    {},
    { members: [{ name: 'a', role: 'view' }], links: { chat: 'https://a' }, onCall: 'b' },
  ],
  ['the maximum of a container', {}, { maxContainer: { memory: '1Gi' } }],
])('%s restarts nothing', (_, platform, project) => {
  expect(podsOn(platform, project)).toEqual(podsOn({}, {}));
});

/** As documented in docs/kinds/platform.md. */
test.each<[string, Fields, Fields]>([
  ['the cluster name', { cluster: 'other' }, {}],
  ['the environment', { environment: 'prod' }, {}],
  ['the region, if there is an IAM role', { region: 'us-east-1' }, {}],
  ['the AWS account, if there is an IAM role', { aws: { accountId: '111111111111' } }, {}],
  ['the default tier', { defaultTier: 'batch' }, {}],
  ['the default pool', { defaultPool: 'highmem' }, {}],
  ['default requests', { resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } } }, {}],
  ['tolerations of the tier', { tiers: [...tiers.slice(2), { ...tier, tolerations: [{ operator: 'Exists' }] }] }, {}],
  ['images of parts', { runtime: { images: { logs: 'mirror.example.com/fluent-bit:4.2.3' } } }, {}],
  ['the team of the project', {}, { team: 'checkout' }],
  ['the cost center of the project', {}, { costCenter: 'c7' }],
  ['the Pod Security level of the project', {}, { podSecurity: 'baseline' }],
  ['the default pool of the project', {}, { defaultPool: 'highmem' }],
])('%s restarts pods', (_, platform, project) => {
  expect(podsOn(platform, project)).not.toEqual(podsOn({}, {}));
});
