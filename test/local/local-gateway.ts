import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayAudience, type ManifestInput, type PlatformKind } from '../../lib/api';
import { expectStatus } from '../control-plane/api-response';
import { type Cluster } from '../control-plane/cluster';
import { TestAuthority } from '../kube/certificates';
import { gatewayAddress, platformWithGateway } from './gateway-platform';
import { gatewayAccount, GatewayProcess } from './gateway-process';

/** Service account whose token the printed kubeconfig has. */
const reader = { namespace: 'default', name: 'gateway-reader' } as const;

/** Documents of a local installation with a gateway, and how to start it. */
export class LocalGateway {
  readonly #authority = new TestAuthority();
  /** The built-in Platform with the gateway, and its profile. */
  readonly documents: readonly ManifestInput<PlatformKind>[] = platformWithGateway(this.#authority);

  /** Starts the gateway as its installed service account; returns it with a kubeconfig for it. */
  async start(cluster: Cluster): Promise<{ readonly process: GatewayProcess; readonly kubeconfig: string }> {
    const { folder } = cluster;
    const { namespace, name } = gatewayAccount;
    const process = GatewayProcess.start({
      kubeconfig: cluster.kubeconfigFor({ token: await cluster.serviceAccountToken(namespace, name) }),
      folder,
      documents: this.documents,
      certified: this.#authority.certify('localhost', [gatewayAddress, '127.0.0.1']),
      flags: ['--shutdown-delay=0', '--drain=1'],
    });
    const kubeconfig = join(folder, 'gateway.kubeconfig');
    writeFileSync(kubeconfig, this.#kubeconfigOf(await process.port(), await readerToken(cluster)), { mode: 0o600 });
    return { process, kubeconfig };
  }

  #kubeconfigOf(port: number, token: string): string {
    const named = (key: string, value: object): object => ({ name: 'gateway', [key]: value });
    const authority = Buffer.from(this.#authority.certificate).toString('base64');
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [named('cluster', { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': authority })],
      users: [named('user', { token })],
      contexts: [named('context', { cluster: 'gateway', user: 'gateway' })],
      'current-context': 'gateway',
    });
  }
}

/** Creates the account, which is bound to Kubernetes' role `view`, and a token of it for the gateway. */
async function readerToken({ client }: Cluster): Promise<string> {
  const apiGroup = 'rbac.authorization.k8s.io';
  const { namespace, name } = reader;
  for (const object of [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } },
    {
      apiVersion: `${apiGroup}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', namespace, name }],
    },
  ])
    expectStatus(await client.apply(object), [200, 201]);
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const spec = { audiences: [gatewayAudience], expirationSeconds: 12 * 3_600 };
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  const response = expectStatus(await client.request('POST', path, body), [201]);
  return (response.body as { readonly status: { readonly token: string } }).status.token;
}
