import { type Credentials } from './credentials';

/** Flags of a server that listens on the loopback address with the certificate of the API server. */
const servingFlags = (credentials: Credentials, port: number): readonly string[] => [
  '--bind-address=127.0.0.1',
  `--secure-port=${port}`,
  `--tls-cert-file=${credentials.authorityFile}`,
  `--tls-private-key-file=${credentials.authorityFile.replace(/\.crt$/, '.key')}`,
];

/** Flags of a client without rate limits: with the default limits a Deployment of 500 pods starts 21 pods per second. */
const clientFlags = (kubeconfig: string): readonly string[] => [
  `--kubeconfig=${kubeconfig}`,
  '--kube-api-qps=2000',
  '--kube-api-burst=4000',
  '--leader-elect=false',
];

/** Controller that checks the types of each policy against each definition: most of the server's CPU time in most suites. */
const policyTypeChecker = 'validatingadmissionpolicy-status-controller';

/** Flags of kube-controller-manager: volumes are provisioned, nodes never become unresponsive, two cores suffice. */
export function controllerManagerArguments(
  credentials: Credentials,
  kubeconfig: string,
  port: number,
  checksPolicyTypes: boolean,
): readonly string[] {
  return [
    ...clientFlags(kubeconfig),
    ...servingFlags(credentials, port),
    `--root-ca-file=${credentials.authorityFile}`,
    `--service-account-private-key-file=${credentials.serviceAccountKey}`,
    '--enable-hostpath-provisioner=true',
    `--controllers=*,${checksPolicyTypes ? '' : '-'}${policyTypeChecker}`,
    // Simulated nodes renew no lease: thousands of renewals would cause most of the load.
    '--node-monitor-grace-period=87600h',
    '--concurrent-deployment-syncs=16',
    '--concurrent-replicaset-syncs=16',
    '--concurrent-statefulset-syncs=16',
    '--concurrent-daemonset-syncs=8',
    '--concurrent-job-syncs=16',
    '--concurrent-cron-job-syncs=8',
    '--concurrent-gc-syncs=20',
    '--concurrent-namespace-syncs=10',
    '--pvclaimbinder-sync-period=1s',
  ];
}

/** Flags of kube-scheduler. */
export const schedulerArguments = (credentials: Credentials, kubeconfig: string, port: number): readonly string[] => [
  ...clientFlags(kubeconfig),
  ...servingFlags(credentials, port),
];

/**
 * Flags of kwok. It forgets assigned pod addresses when it restarts:
 * each start assigns addresses from a different range.
 */
export const kwokArguments = (
  kubeconfig: string,
  configuration: string,
  port: number,
  restarts: number,
): readonly string[] => [
  `--kubeconfig=${kubeconfig}`,
  `--config=${configuration}`,
  `--cidr=10.${128 + (restarts % 127)}.0.1/16`,
  '--node-ip=127.0.0.1',
  '--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake',
  '--node-lease-duration-seconds=0',
  `--server-address=127.0.0.1:${port}`,
];
