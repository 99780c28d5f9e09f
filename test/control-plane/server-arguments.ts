import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Credentials } from './credentials';

/** Flags of an etcd without durability: suitable for tests, not for measuring durability. */
export function etcdArguments(folder: string, clientPort: number, peerPort: number): readonly string[] {
  const clients = `http://127.0.0.1:${clientPort}`;
  const peers = `http://127.0.0.1:${peerPort}`;
  return [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${clients}`,
    `--advertise-client-urls=${clients}`,
    `--listen-peer-urls=${peers}`,
    `--initial-advertise-peer-urls=${peers}`,
    `--initial-cluster=default=${peers}`,
    '--log-level=warn',
    '--unsafe-no-fsync',
  ];
}

/** Flags of kube-apiserver; writes its audit policy into the folder. */
export function apiServerArguments(
  folder: string,
  credentials: Credentials,
  etcdUrl: string,
  port: number,
): readonly string[] {
  const auditPolicy = join(folder, 'audit-policy.json');
  writeFileSync(
    auditPolicy,
    JSON.stringify({
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived'],
      rules: [{ level: 'Metadata' }],
    }),
  );
  return [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${credentials.certificateFolder}`,
    '--authorization-mode=RBAC',
    '--anonymous-auth=false',
    `--token-auth-file=${credentials.tokenFile}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${credentials.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${credentials.serviceAccountKey}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    // A loopback address is rejected as an endpoint of the "kubernetes" service.
    '--endpoint-reconciler-type=none',
    '--allow-privileged=true',
    `--audit-policy-file=${auditPolicy}`,
    `--audit-log-path=${join(folder, 'logs', 'audit.log')}`,
    // In megabytes; rotation would lose requests that tests count.
    '--audit-log-maxsize=1000000',
  ];
}
