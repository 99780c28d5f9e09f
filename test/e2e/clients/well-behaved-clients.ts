import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect, SharedInformerFactory, loadKubeConfig, resourceOf, trimForCache } from '../../../lib/kube';
import { type ControlPlane } from '../../control-plane/control-plane';
import { realClock } from '../../kube/real-clock';
import { type TestGateway } from '../gateway/test-gateway';
import { fileIn, gatewayKubeconfig, tokenOf } from './client-cluster';

const configMap = (name: string, value: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' }, data: { value } });

/** Twenty clients that do as they should, through the gateway: informers, `kubectl get -w` and `kubectl apply`. */
export class WellBehavedClients {
  private readonly factories: SharedInformerFactory[] = [];
  private readonly watches: ChildProcess[] = [];
  readonly accounts: string[] = [];

  constructor(
    private readonly controlPlane: ControlPlane,
    private readonly gateway: TestGateway,
    private readonly kubectl: string,
  ) {}

  /** Starts all of them. */
  async start(): Promise<void> {
    for (let index = 0; index < 8; index++) await this.startInformers(`informer-${index}`, index % 2 === 0);
    for (let index = 0; index < 6; index++) await this.startWatch(`watch-${index}`);
    for (let index = 0; index < 6; index++) await this.apply(`apply-${index}`);
  }

  async stop(): Promise<void> {
    for (const watch of this.watches) watch.kill('SIGKILL');
    await Promise.all(this.factories.map((factory) => factory.stop()));
  }

  private async kubeconfig(account: string): Promise<string> {
    const token = await tokenOf(this.controlPlane, 'shop', account, { forGateway: true });
    const file = fileIn(this.controlPlane, `${account}.kubeconfig`);
    writeFileSync(file, gatewayKubeconfig(this.gateway, token), { mode: 0o600 });
    this.accounts.push(`system:serviceaccount:shop:${account}`);
    return file;
  }

  private async startInformers(account: string, streamLists: boolean): Promise<void> {
    const settings = loadKubeConfig({ file: await this.kubeconfig(account), environment: {} });
    const client = connect(settings, { clock: realClock, userAgent: 'shop-controller/1.0' });
    const factory = new SharedInformerFactory({ client, clock: realClock, onError: () => undefined });
    this.factories.push(factory);
    for (const kind of ['Pod', 'ConfigMap', 'Deployment'])
      factory.informer({ resource: resourceOf(kind), streamLists, transform: trimForCache });
    factory.start();
    await factory.waitForCacheSync(AbortSignal.timeout(60_000));
  }

  private async startWatch(account: string): Promise<void> {
    const args = ['--kubeconfig', await this.kubeconfig(account), '-n', 'shop', 'get', 'configmaps', '-w'];
    const watch = spawn(this.kubectl, args, {
      env: { HOME: this.controlPlane.folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.watches.push(watch);
    await new Promise((resolve, reject) => {
      watch.stdout?.once('data', resolve);
      watch.once('exit', (code) => reject(new Error(`kubectl get -w ended with code ${code}`)));
    });
    watch.removeAllListeners('exit');
  }

  private async apply(account: string): Promise<void> {
    const kubeconfig = await this.kubeconfig(account);
    for (const value of ['first', 'second']) {
      const { code, stderr } = await this.controlPlane.kubectl(
        ['apply', '-f', '-'],
        configMap(account, value),
        kubeconfig,
      );
      if (code !== 0) throw new Error(stderr);
    }
  }
}
