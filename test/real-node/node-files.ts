import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { imageNames } from './node-images';

/** Addresses inside the node's own network namespace: unreachable from outside, and without access to it. */
export const nodeNetwork = {
  name: 'node1',
  bridge: 'pinion0',
  address: '10.85.0.1',
  pods: '10.85.0.0/24',
  firstPod: '10.85.0.10',
  services: '10.86.0.0/24',
  apiPort: 6443,
} as const;

const { name, bridge, address, pods, firstPod, services, apiPort } = nodeNetwork;

/** Paths and credentials that the servers of a node share. */
export interface NodeFiles {
  readonly folder: string;
  /** Bearer token of `admin`, a member of system:masters; the node's own servers use it too. */
  readonly token: string;
  /** The serving certificate of the API server; exists once that runs. */
  readonly authorityFile: string;
  /** Name of the parent cgroup of the node's pods. */
  readonly cgroup: string;
  readonly containerdSocket: string;
  readonly relaySocket: string;
}

/** Writes keys, kubeconfig and the configuration of each server into a folder. */
export function writeNodeFiles(folder: string, cgroup: string): NodeFiles {
  for (const each of ['pki', 'logs', 'cni', 'fake', 'state']) mkdirSync(join(folder, each));
  const token = randomBytes(16).toString('hex');
  const files: NodeFiles = {
    folder,
    token,
    cgroup,
    authorityFile: join(folder, 'pki', 'apiserver.crt'),
    containerdSocket: join(folder, 'state', 'containerd.sock'),
    relaySocket: join(folder, 'relay.sock'),
  };
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const write = (path: string, content: string | object): void =>
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
  write('pki/service-account.key', privateKey);
  write('pki/service-account.pub', publicKey);
  write('pki/tokens.csv', `${token},admin,admin,"system:masters"\n`);
  write('kubeconfig', kubeconfig(`https://${address}:${apiPort}`, files));
  write('audit-policy.json', {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'Metadata' }],
  });
  write('containerd.toml', containerdConfig(files));
  write('kubelet.json', kubeletConfig(files));
  write('kube-proxy.json', proxyConfig(folder));
  write('cni/10-bridge.conflist', networkConfig(folder));
  return files;
}

/** Returns a kubeconfig that logs in as `admin`. */
export const kubeconfig = (server: string, { token, authorityFile }: NodeFiles): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'test', cluster: { server, 'certificate-authority': authorityFile } }],
  users: [{ name: 'admin', user: { token } }],
  contexts: [{ name: 'admin', context: { cluster: 'test', user: 'admin' } }],
  'current-context': 'admin',
});

const containerdConfig = ({ folder, containerdSocket }: NodeFiles): string => `version = 2
root = '${folder}/state/containerd-root'
state = '${folder}/state/containerd'
[grpc]
  address = '${containerdSocket}'
[plugins.'io.containerd.grpc.v1.cri']
  sandbox_image = '${imageNames.pause}'
  restrict_oom_score_adj = true
  disable_apparmor = true
  netns_mounts_under_state_dir = true
  [plugins.'io.containerd.grpc.v1.cri'.containerd]
    snapshotter = 'overlayfs'
    default_runtime_name = 'runc'
    [plugins.'io.containerd.grpc.v1.cri'.containerd.runtimes.runc]
      runtime_type = 'io.containerd.runc.v2'
  [plugins.'io.containerd.grpc.v1.cri'.cni]
    bin_dir = '/usr/lib/cni'
    conf_dir = '${folder}/cni'
`;

const kubeletConfig = ({ folder, containerdSocket, cgroup }: NodeFiles): object => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  address,
  healthzBindAddress: '127.0.0.1',
  containerRuntimeEndpoint: `unix://${containerdSocket}`,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: `/${cgroup}`,
  failCgroupV1: false,
  failSwapOn: false,
  oomScoreAdj: 0,
  podLogsDir: join(folder, 'state', 'pod-logs'),
  volumePluginDir: join(folder, 'state', 'volume-plugins'),
  clusterDomain: 'cluster.local',
  // Address of the optional DNS server.
  clusterDNS: [address],
  resolvConf: '',
  authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
  authorization: { mode: 'AlwaysAllow' },
  imageGCHighThresholdPercent: 100,
  evictionHard: {
    'memory.available': '100Mi',
    'nodefs.available': '1%',
    'imagefs.available': '1%',
    'nodefs.inodesFree': '1%',
  },
  makeIPTablesUtilChains: false,
  maxPods: 100,
  syncFrequency: '10s',
});

/** Returns the configuration of kube-proxy, with masquerading because replies between pods on one bridge would bypass the address translation. */
const proxyConfig = (folder: string): object => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  mode: 'nftables',
  bindAddress: '0.0.0.0',
  hostnameOverride: name,
  clusterCIDR: pods,
  clientConnection: { kubeconfig: join(folder, 'kubeconfig') },
  healthzBindAddress: '127.0.0.1:10256',
  metricsBindAddress: '127.0.0.1:10249',
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  nodePortAddresses: [pods],
  nftables: { minSyncPeriod: '0s', masqueradeAll: true },
});

const networkConfig = (folder: string): object => ({
  cniVersion: '1.0.0',
  name: 'pinion',
  plugins: [
    {
      type: 'bridge',
      bridge,
      isGateway: false,
      ipMasq: false,
      hairpinMode: true,
      ipam: {
        type: 'host-local',
        dataDir: join(folder, 'state', 'addresses'),
        ranges: [[{ subnet: pods, rangeStart: firstPod }]],
        routes: [{ dst: services, gw: address }],
      },
    },
  ],
});
