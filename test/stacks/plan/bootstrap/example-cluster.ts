import {
  hostParts,
  type NodeClusterConfig,
  type ControlPlaneSpec,
  type Member,
  type WorkerSpec,
} from '../../../../stacks/plan/bootstrap';
import { resolvePlatform } from '../../../../lib/expand';

/** CIDR blocks of the subnets of workers. */
export const workerSubnets = ['10.0.0.0/19', '10.0.32.0/19', '10.0.64.0/19'];

const cluster: NodeClusterConfig = {
  name: 'shop',
  region: 'eu-west-1',
  kubernetesVersion: '1.36.3',
  endpoint: 'api.shop.internal',
  clusterDomain: 'cluster.local',
  clusterDns: ['172.20.0.10'],
  parameters: '/pinion/shop',
  workerSubnets,
};

const member = (name: string, number: number): Member => ({
  name,
  address: `10.0.${number}.10`,
  subnet: `10.0.${number}.0/24`,
  interfaceTags: { 'pinion/cluster': 'shop', 'pinion/member': name },
  volumeTags: {
    main: { 'pinion/cluster': 'shop', 'pinion/member': name, 'pinion/etcd': 'main' },
    events: { 'pinion/cluster': 'shop', 'pinion/member': name, 'pinion/etcd': 'events' },
  },
});

const host = hostParts(resolvePlatform([]).profile.spec.parts);

const etcdFlags = {
  'quota-backend-bytes': '8589934592',
  'snapshot-count': '10000',
  'watch-progress-notify-interval': '5s',
};

/** The first control plane node. */
export const firstControlPlaneNode = member('a', 1);

/** Three control plane nodes with a separate etcd for events. */
export const controlPlane: ControlPlaneSpec = {
  cluster,
  members: [firstControlPlaneNode, member('b', 2), member('c', 3)],
  etcds: [
    { name: 'main', flags: etcdFlags },
    { name: 'events', flags: etcdFlags },
  ],
  flags: {
    'kube-apiserver': {
      'delete-collection-workers': '100',
      'enable-admission-plugins': 'NodeRestriction,EventRateLimit',
      'etcd-compaction-interval': '150s',
      'goaway-chance': '0.001',
      'max-mutating-requests-inflight': '0',
      'max-requests-inflight': '640',
    },
    'kube-controller-manager': { 'kube-api-burst': '100', 'kube-api-qps': '100' },
    'kube-scheduler': { 'kube-api-burst': '100', 'kube-api-qps': '100' },
  },
  apiServerEnvironment: { GOGC: '100', GOMEMLIMIT: '12884901888' },
  eventRateLimit: {
    apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
    kind: 'Configuration',
    limits: [
      { type: 'Server', qps: 500, burst: 1000 },
      { type: 'User', qps: 10, burst: 50, cacheSize: 6000 },
    ],
  },
  rootGib: 64,
  sendsAuditEvents: false,
  objects: [
    {
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      kind: 'PriorityLevelConfiguration',
      metadata: { name: 'heavy-lists' },
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 5,
          lendablePercent: 0,
          borrowingLimitPercent: 0,
          limitResponse: { type: 'Queue', queuing: { queues: 16, handSize: 4, queueLengthLimit: 20 } },
        },
      },
    },
  ],
  serviceSubnet: '172.20.0.0/16',
  serviceAccounts: { issuer: 'https://shop-issuer.s3.eu-west-1.amazonaws.com', bucket: 'shop-issuer', path: '' },
  oidc: {
    issuers: [
      {
        url: 'https://login.example.com',
        audiences: ['kubernetes'],
        usernameClaim: 'email',
        groupsClaim: 'groups',
        prefix: 'oidc:',
      },
    ],
    administrators: ['oidc:platform'],
    observers: ['oidc:performance'],
  },
  kubelet: {
    maxPods: 32,
    rates: { kubeAPIQPS: 50, kubeAPIBurst: 100, eventRecordQPS: 50, eventBurst: 100 },
    kubeReserved: { cpu: '200m', memory: '512Mi' },
    systemReserved: { cpu: '200m', memory: '512Mi' },
  },
  snapshots: { bucket: 'shop-backups', path: 'etcd', everyHours: 3 },
  host,
};

/** A spot pool. */
export const spotWorkers: WorkerSpec = {
  cluster,
  labels: { 'pinion/pool': 'spot' },
  taints: [{ key: 'pinion/spot', value: 'true', effect: 'NoSchedule' }],
  kubelet: { ...controlPlane.kubelet, maxPods: 110 },
  imageRegistries: ['*.dkr.ecr.*.amazonaws.com'],
  host,
};
