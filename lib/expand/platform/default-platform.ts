import { apiVersion, type ManifestInput } from '../../api';

/** Default Platform for tests and first steps; every real cluster defines its own. */
export const defaultPlatform: ManifestInput<'Platform'> = {
  apiVersion,
  kind: 'Platform',
  metadata: { name: 'cluster' },
  spec: {
    cluster: 'local',
    environment: 'dev',
    domain: 'apps.example.com',
    aws: { accountId: '000000000000' },
    tiers: [
      { name: 'critical', priority: 1_000_000 },
      { name: 'standard', priority: 100_000 },
      { name: 'batch', priority: 10_000, preemption: false },
      { name: 'best-effort', priority: 0, preemption: false },
    ],
    defaultTier: 'standard',
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    pools: [
      { name: 'general' },
      { name: 'highmem', nodeSelector: { 'node.example.com/pool': 'highmem' } },
      {
        name: 'gpu',
        nodeSelector: { 'node.example.com/pool': 'gpu' },
        tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
        accelerators: ['nvidia.com/gpu'],
      },
    ],
    defaultPool: 'general',
    ingress: {
      internal: { ingressClassName: 'internal' },
      external: { ingressClassName: 'external' },
    },
    runtime: { profile: 'default-1' },
    defaultQuota: {
      pods: '200',
      'requests.cpu': '100',
      'requests.memory': '400Gi',
      'limits.memory': '800Gi',
      'requests.storage': '2Ti',
      persistentvolumeclaims: '100',
    },
  },
};
