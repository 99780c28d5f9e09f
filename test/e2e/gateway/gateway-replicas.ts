import { gatewayName } from '../../../lib/expand';
import { type ControlPlane } from '../../control-plane/control-plane';
import { TestAuthority } from '../../kube/certificates';
import { gatewayAccount, GatewayProcess } from '../../local/gateway-process';
import { gatewayAddress, platformWithGateway } from '../../local/gateway-platform';
import { installPinion } from '../../local/install-pinion';
import { TcpBalancer } from './tcp-balancer';

/** Budget that the clients do not use up. */
const budget = { requestsPerSecond: 100_000, concurrentRequests: 10_000, bytesPerSecond: '1Gi' };

/** Replicas of the installed gateway behind a balancer, each of which is replaced when it is killed. */
export class GatewayReplicas {
  readonly #started: GatewayProcess[] = [];
  #current: readonly GatewayProcess[] = [];

  private constructor(
    readonly authority: TestAuthority,
    readonly balancer: TcpBalancer,
    private readonly start: (name: string) => GatewayProcess,
  ) {}

  /** Installs pinion with a gateway that bounds reads of pods, and starts replicas of it. */
  static async start(controlPlane: ControlPlane, count: number): Promise<GatewayReplicas> {
    const authority = new TestAuthority();
    const documents = platformWithGateway(
      authority,
      {},
      {
        defaultApiBudget: { project: budget, serviceAccount: budget, user: budget },
        boundedReads: [{ resource: 'pods', maxAge: '5s' }],
      },
    );
    await installPinion(controlPlane, documents);
    const { namespace, name: account } = gatewayAccount;
    const kubeconfig = controlPlane.kubeconfigFor({
      token: await controlPlane.serviceAccountToken(namespace, account),
    });
    const certified = authority.certify(`${gatewayName}.${gatewayName}.svc`, [gatewayAddress, '127.0.0.1']);
    const { folder } = controlPlane;
    const start = (name: string): GatewayProcess =>
      GatewayProcess.start({ kubeconfig, folder, documents, certified, name });
    const replicas = new GatewayReplicas(authority, await TcpBalancer.start([]), start);
    for (let index = 0; index < count; index++) replicas.#use([...replicas.#current, replicas.#startNext()]);
    for (const replica of replicas.#current) await replica.port();
    return replicas;
  }

  /** Kills a replica without warning, and starts another in its place. */
  async replace(index: number): Promise<void> {
    const replaced = this.#current[index];
    if (!replaced) throw new Error(`there is no replica ${index}`);
    replaced.kill();
    await replaced.ended;
    this.#use(this.#current.map((replica) => (replica === replaced ? this.#startNext() : replica)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#started.map((replica) => replica.stop()));
    await this.balancer.stop();
  }

  #startNext(): GatewayProcess {
    const replica = this.start(`gateway-${this.#started.length}`);
    this.#started.push(replica);
    return replica;
  }

  #use(replicas: readonly GatewayProcess[]): void {
    this.#current = replicas;
    this.balancer.use(replicas);
  }
}
