import { join } from 'node:path';
import { type NodeFiles, nodeNetwork } from './node-files';

/** Programs of a node that are built. */
export const nodePrograms = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'kubelet',
  'kubectl',
] as const;

/** Paths of the programs. */
export type NodePaths = Readonly<Record<(typeof nodePrograms)[number], string>>;

/** Sysctls that a kubelet sets for the whole machine; inside the node they are files with the current values. */
const sysctls = [
  'vm/overcommit_memory',
  'vm/panic_on_oom',
  'kernel/panic',
  'kernel/panic_on_oops',
  'kernel/keys/root_maxkeys',
  'kernel/keys/root_maxbytes',
];

const { name, bridge, address, services, apiPort } = nodeNetwork;

/**
 * Returns the shell script that is process 1 of the node: network, mounts, control plane, then the node's own servers.
 */
export function initScript(files: NodeFiles, paths: NodePaths, archive: string): string {
  const { folder } = files;
  const start = (part: string, program: string, args: readonly string[]): string =>
    `${[program, ...args].map(quote).join(' ')} >> ${quote(join(folder, 'logs', `${part}.log`))} 2>&1 &`;
  const ctr = `ctr -a ${quote(files.containerdSocket)}`;
  return [
    'set -e',
    `cd ${quote(folder)}`,
    'ip link set lo up',
    `ip link add ${bridge} type bridge`,
    `ip addr add ${address}/24 dev ${bridge}`,
    `ip link set ${bridge} up`,
    `ip route add ${services} dev ${bridge}`,
    'echo 1 > /proc/sys/net/ipv4/ip_forward',
    // Files in these folders disappear with this mount namespace.
    'for each in /run /var/lib /var/log; do mount -t tmpfs tmpfs $each; done',
    'mkdir -p /run/lock /var/lib/kubelet /var/log/containers',
    ...sysctls.map((path) => {
      const copy = quote(join(folder, 'fake', path.replaceAll('/', '_')));
      return `cat /proc/sys/${path} > ${copy}; mount --bind ${copy} /proc/sys/${path}`;
    }),
    'set +e',
    start('relay', process.execPath, [join(folder, 'relay.js'), files.relaySocket]),
    start('etcd', paths.etcd, etcdFlags(folder)),
    start('containerd', 'containerd', ['-c', join(folder, 'containerd.toml')]),
    start('kube-apiserver', paths['kube-apiserver'], apiServerFlags(folder)),
    `{ until ${ctr} version; do sleep 0.05; done >/dev/null 2>&1`,
    `  ${ctr} -n k8s.io images import ${quote(archive)} >> logs/import.log 2>&1 || echo failed >> logs/import.log; } &`,
    'importing=$!',
    // The other servers exit if the certificate does not exist yet.
    `until ${quote(paths.kubectl)} --kubeconfig=kubeconfig get --raw=/readyz >/dev/null 2>&1; do sleep 0.1; done`,
    start('kube-controller-manager', paths['kube-controller-manager'], controllerFlags(files)),
    start('kube-scheduler', paths['kube-scheduler'], [...clientFlags(folder), '--leader-elect=false']),
    start('kube-proxy', paths['kube-proxy'], [`--config=${join(folder, 'kube-proxy.json')}`]),
    // A pod whose image is missing waits long until the next pull.
    'wait $importing',
    start('kubelet', paths.kubelet, kubeletFlags(folder)),
    // Process 1 also has to reap orphans.
    'while :; do wait; sleep 1; done',
  ].join('\n');
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const clientFlags = (folder: string): readonly string[] =>
  ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'].map(
    (flag) => `--${flag}=${join(folder, 'kubeconfig')}`,
  );

const etcdFlags = (folder: string): readonly string[] => [
  `--data-dir=${join(folder, 'state', 'etcd')}`,
  '--log-level=warn',
  '--unsafe-no-fsync',
];

const apiServerFlags = (folder: string): readonly string[] => [
  '--etcd-servers=http://127.0.0.1:2379',
  // Without an advertised address its certificate also covers "localhost", which is used from outside.
  '--bind-address=0.0.0.0',
  `--advertise-address=${address}`,
  `--secure-port=${apiPort}`,
  `--cert-dir=${join(folder, 'pki')}`,
  '--authorization-mode=RBAC',
  `--token-auth-file=${join(folder, 'pki', 'tokens.csv')}`,
  '--service-account-issuer=https://kubernetes.default.svc',
  `--service-account-key-file=${join(folder, 'pki', 'service-account.pub')}`,
  `--service-account-signing-key-file=${join(folder, 'pki', 'service-account.key')}`,
  `--service-cluster-ip-range=${services}`,
  '--kubelet-preferred-address-types=InternalIP',
  '--allow-privileged=true',
  `--audit-policy-file=${join(folder, 'audit-policy.json')}`,
  `--audit-log-path=${join(folder, 'logs', 'audit.log')}`,
];

const controllerFlags = ({ folder, authorityFile }: NodeFiles): readonly string[] => [
  ...clientFlags(folder),
  `--service-account-private-key-file=${join(folder, 'pki', 'service-account.key')}`,
  `--root-ca-file=${authorityFile}`,
  '--use-service-account-credentials',
  '--leader-elect=false',
  '--allocate-node-cidrs=false',
  '--kube-api-qps=500',
  '--kube-api-burst=1000',
];

const kubeletFlags = (folder: string): readonly string[] => [
  `--config=${join(folder, 'kubelet.json')}`,
  `--kubeconfig=${join(folder, 'kubeconfig')}`,
  `--root-dir=${join(folder, 'state', 'kubelet')}`,
  `--cert-dir=${join(folder, 'state', 'kubelet-pki')}`,
  `--hostname-override=${name}`,
  `--node-ip=${address}`,
  '--v=2',
];
