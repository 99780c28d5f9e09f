import { type PlatformStackInput } from '../../../../stacks/plan/platform';

const role = (name: string) => `arn:aws:iam::123456789012:role/shop-${name}`;

/** Certificate of an authority, whose key is lost. */
const gatewayAuthority = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBiDCCAS+gAwIBAgIUZiJt2OUKjMl+rwfMSP9sJt9vK1kwCgYIKoZIzj0EAwIw',
  'GTEXMBUGA1UEAwwOcGluaW9uLWdhdGV3YXkwIBcNMjYxMTI2MTU1ODMwWhgPMjEy',
  'NjExMDIxNTU4MzBaMBkxFzAVBgNVBAMMDnBpbmlvbi1nYXRld2F5MFkwEwYHKoZI',
  'zj0CAQYIKoZIzj0DAQcDQgAE8IbRgxnxB4RPfJnxN+z8sJMr/BqIDeRSOdZH50hD',
  'wEK0Fc6o16gaNPcjKgIWsxApswyc0YwdhtGMEghSE5gKJaNTMFEwHQYDVR0OBBYE',
  'FFL9pXR5b5IOxAzm7896Ig/QcD7kMB8GA1UdIwQYMBaAFFL9pXR5b5IOxAzm7896',
  'Ig/QcD7kMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgE1Rw6dOA',
  '7zbKmvjVYcoeIGDafIv2RDt45+JLf+RlhlECIAiAGxMyZjdB8/Emmx5yWy4KPnn9',
  'ykmL2oWybVY0cqMB',
  '-----END CERTIFICATE-----',
  '',
].join('\n');

/** A medium cluster with a pool of each kind, and a minimal Platform. */
export const plainPlatformInput: PlatformStackInput = {
  cluster: 'shop',
  accountId: '123456789012',
  region: 'us-east-1',
  zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
  kubernetesVersion: '1.36',
  endpoint: 'api.shop.example.com',
  network: {
    pods: '100.64.0.0/10',
    services: '172.20.0.0/16',
    internalBalancers: ['10.0.0.0/19', '10.0.32.0/19', '10.0.64.0/19'],
    overlay: { protocol: 'udp', port: 8472 },
  },
  hostedZone: { id: 'Z0123456789ABCDEFGHIJ', domain: 'shop.example.com' },
  roles: {
    'cloud-controller-manager': role('cloud-controller-manager'),
    'cluster-autoscaler': role('cluster-autoscaler'),
    'drain-consumer': role('drain-consumer'),
    'ebs-csi-driver': role('ebs-csi-driver'),
    'external-dns': role('external-dns'),
    'node-approver': role('node-approver'),
    submission: role('submission'),
  },
  volumeKey: 'arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab',
  controlPlane: { count: 3, cpus: 8, memoryGib: 32 },
  autoscaler: { maxNodes: 327, maxCores: 3000, maxMemoryGib: 12_000, scanSeconds: 10, podDelaySeconds: 30 },
  nodeGroups: [
    {
      pool: 'general',
      group: 'shop-node-general',
      min: 3,
      max: 288,
      cpus: 8,
      memoryGib: 32,
      labels: { 'pinion/pool': 'general' },
    },
    {
      pool: 'training',
      group: 'shop-node-training',
      min: 0,
      max: 12,
      cpus: 48,
      memoryGib: 192,
      labels: { 'pinion/pool': 'training' },
      taints: [{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }],
      accelerators: ['nvidia.com/gpu'],
    },
    {
      pool: 'batch',
      group: 'shop-node-batch',
      min: 0,
      max: 24,
      cpus: 4,
      memoryGib: 16,
      labels: { 'pinion/pool': 'batch' },
      taints: [{ key: 'pinion/spot', value: 'true', effect: 'NoSchedule' }],
    },
  ],
  artifacts: { store: 's3://shop-artifacts/store', verificationStore: 's3://shop-witness' },
  submission: {
    image: 'registry.example.com/pinion/submission:1.0.0',
    settings: {
      identity: {
        issuers: [{ issuer: 'https://login.example.com', audience: 'pinion', groupsClaim: 'groups' }],
        session: {
          issuer: 'https://login.example.com',
          clientId: 'pinion-page',
          publicUrl: 'https://deploy.shop.example.com',
          keysFile: '/etc/pinion/session/keys',
        },
      },
      origin: 'https://deploy.shop.example.com',
      behindTlsProxy: true,
    },
    hosts: ['deploy.shop.example.com'],
    secrets: { '/etc/pinion/session': { name: 'submission-session' } },
  },
  quotaMonitor: {
    image: 'registry.example.com/pinion/quota:1.0.0',
    secret: { name: 'quota-receiver', keys: ['QUOTA_WEBHOOK_URL'] },
  },
  observability: { runbooks: 'https://runbooks.example.com' },
  nodeLifecycleImage: 'registry.example.com/pinion/node-lifecycle:1.0.0',
  controllerImage: 'registry.example.com/pinion/controller:1.0.0',
  gatewayImage: 'registry.example.com/pinion/gateway:1.0.0',
  clientMonitorImage: 'registry.example.com/pinion/client-monitor:1.0.0',
  auditEvents: true,
  platform: {
    // The stack adds the address.
    gateway: { certificateAuthority: gatewayAuthority },
    environment: 'prod',
    tiers: [
      { name: 'critical', priority: 1_000_000 },
      { name: 'standard', priority: 100_000 },
    ],
    defaultTier: 'standard',
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    ingress: { internal: { ingressClassName: 'internal' } },
    defaultQuota: { pods: '200', 'requests.cpu': '100' },
  },
};

/** Returns the default stack configuration with the overrides of a test. */
export const makePlatformInput = (own: Partial<PlatformStackInput> = {}): PlatformStackInput => ({
  ...plainPlatformInput,
  ...own,
});
