import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ControlPlane } from '../../control-plane/control-plane';
import { type TestAuthority } from '../../kube/certificates';

/** Client of a gateway: the port at which it connects, the authority that it trusts, and its token. */
export interface GatewayClient {
  readonly port: number;
  readonly authority: TestAuthority;
  readonly token: string;
  /** Name of the file. */
  readonly name: string;
}

/** Writes the kubeconfig of a client of a gateway, and returns its path. */
export function gatewayKubeconfig({ folder }: ControlPlane, { port, authority, token, name }: GatewayClient): string {
  const file = join(folder, `${name}.kubeconfig`);
  const named = (key: string, value: object): object => ({ name: 'gateway', [key]: value });
  const cluster = {
    server: `https://127.0.0.1:${port}`,
    'certificate-authority-data': Buffer.from(authority.certificate).toString('base64'),
  };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [named('cluster', cluster)],
    users: [named('user', { token })],
    contexts: [named('context', { cluster: 'gateway', user: 'gateway' })],
    'current-context': 'gateway',
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}
