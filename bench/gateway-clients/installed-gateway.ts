import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayAudience } from '../../lib/api';
import { type ControlPlane } from '../../test/control-plane/control-plane';
import { TestAuthority } from '../../test/kube/certificates';
import { gatewayAddress, platformWithGateway } from '../../test/local/gateway-platform';
import { gatewayAccount, GatewayProcess } from '../../test/local/gateway-process';
import { type ClientTarget } from './team-clients';

/** The gateway as `pinion install` configures it, in a process of its own. */
export class InstalledGateway {
  readonly #authority = new TestAuthority();
  /** Documents of the installation. */
  readonly documents = platformWithGateway(this.#authority);

  /** Starts it at a control plane where the documents are installed; resolves when it serves. */
  async start(
    controlPlane: ControlPlane,
  ): Promise<{ readonly process: GatewayProcess; readonly target: ClientTarget }> {
    const { namespace, name } = gatewayAccount;
    const token = await controlPlane.serviceAccountToken(namespace, name, 6 * 3_600);
    const process = GatewayProcess.start({
      kubeconfig: controlPlane.kubeconfigFor({ token }),
      folder: controlPlane.folder,
      documents: this.documents,
      certified: this.#authority.certify('localhost', [gatewayAddress, '127.0.0.1']),
      flags: ['--shutdown-delay=0', '--drain=1'],
    });
    const authorityFile = join(controlPlane.folder, 'gateway-ca.crt');
    writeFileSync(authorityFile, this.#authority.certificate);
    const url = `https://localhost:${await process.port()}`;
    return { process, target: { url, authorityFile, audience: gatewayAudience } };
  }
}
