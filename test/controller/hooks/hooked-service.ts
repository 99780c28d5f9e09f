import { apiVersion, type ManifestInput } from '../../../lib/api';
import { defaultPlatform, defaultProfile } from '../../../lib/expand';
import { ApiError, type LiveObject } from '../../../lib/kube';
import { ControllerFixture } from '../controller-fixture';

type Fields = Readonly<Record<string, unknown>>;
type Spec = ManifestInput<'PinterestService'>['spec'];

const kind = 'PinterestService';
const project: ManifestInput<'Project'> = {
  apiVersion,
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'shop' },
};

/** Returns a hook that migrates. */
export const migrate = { name: 'migrate', command: ['/migrate'] };

/** A service with hooks, and the controller that deploys it. */
export class HookedService {
  readonly fixture = new ControllerFixture();
  /** Names of the Jobs that were created, in order. */
  readonly created: string[] = [];
  #annotations: Readonly<Record<string, string>> = {};

  static async start(tag: string, spec: Partial<Spec> = {}): Promise<HookedService> {
    const service = new HookedService();
    await service.fixture.start(project, service.#manifest(tag, spec));
    await service.settle();
    return service;
  }

  /** Writes the spec of a version. */
  async deploy(tag: string, spec: Partial<Spec> = {}): Promise<void> {
    this.fixture.apply(this.#manifest(tag, spec));
    await this.settle();
  }

  async annotate(annotations: Readonly<Record<string, string>>): Promise<void> {
    this.#annotations = { ...this.#annotations, ...annotations };
    this.fixture.change(kind, 'shop', 'cart', (live) => ({
      ...live,
      metadata: { ...live.metadata, annotations: { ...live.metadata.annotations, ...annotations } },
    }));
    await this.settle();
  }

  /** Waits until nothing is pending, deadlines of status writes included. */
  async settle(): Promise<void> {
    for (let round = 0; round < 4; round++) await this.fixture.settle(2000);
    for (const { verb, kind: of, name } of this.fixture.server.written.splice(0))
      if (verb === 'apply' && of === 'Job') this.created.push(name);
  }

  /** Moves the cluster to another runtime profile. */
  async changeProfile(name: string): Promise<void> {
    this.fixture.apply(
      {
        ...defaultProfile,
        metadata: { name },
        spec: { ...defaultProfile.spec, env: [{ name: 'PROFILE', value: name }] },
      },
      { ...defaultPlatform, spec: { ...defaultPlatform.spec, runtime: { profile: name, rollout: 'Immediate' } } },
    );
    await this.settle();
  }

  async restart(): Promise<void> {
    await this.fixture.restart();
    await this.settle();
  }

  /** Ends the Job that runs. */
  async end(outcome: 'Complete' | 'Failed', message = 'it ended'): Promise<void> {
    const [job] = await this.running();
    if (!job) throw new Error('no Job runs');
    const at = new Date(this.fixture.clock.now()).toISOString();
    const condition = { type: outcome, status: 'True', reason: outcome, message, lastTransitionTime: at };
    this.fixture.server.put({ ...job, status: { startTime: at, completionTime: at, conditions: [condition] } });
    await this.settle();
  }

  async running(): Promise<readonly LiveObject[]> {
    return (await this.jobs()).filter((job) => (job['status'] as Fields | undefined)?.['conditions'] === undefined);
  }

  async jobs(): Promise<readonly LiveObject[]> {
    return (await this.fixture.server.list({ kind: 'Job' } as never)).items;
  }

  get status(): Fields {
    return this.fixture.status(kind, 'shop', 'cart');
  }

  get record(): Fields {
    return (this.status['beforeDeployment'] ?? {}) as Fields;
  }

  /** Image of the pods that serve; undefined if there are none. */
  get image(): string | undefined {
    const deployment = this.find('Deployment')?.['spec'] as
      { template: { spec: { containers: { image: string }[] } } } | undefined;
    return deployment?.template.spec.containers[0]?.image.split(':')[1];
  }

  get replicas(): unknown {
    return (this.find('Deployment')?.['spec'] as Fields | undefined)?.['replicas'];
  }

  find(of: string): LiveObject | undefined {
    return this.fixture.server.find(of, 'shop', 'cart');
  }

  /** Drops the status, as a restored backup does. */
  async loseStatus(): Promise<void> {
    this.fixture.change(kind, 'shop', 'cart', ({ status: _, ...live }: LiveObject & { status?: unknown }) => live);
    await this.restart();
  }

  /** Makes the connection fail from the n-th write on; before or after that write took effect. */
  failFrom(n: number, isLost: (verb: string) => boolean): () => boolean {
    let count = 0;
    this.fixture.server.failWith = (verb) => {
      if (!['apply', 'status', 'delete', 'create'].includes(verb)) return undefined;
      if (isLost(verb)) count += 1;
      return count >= n ? new ApiError(0, '', 'connection lost') : undefined;
    };
    return () => {
      this.fixture.server.failWith = () => undefined;
      return count >= n;
    };
  }

  #manifest(tag: string, spec: Partial<Spec>): ManifestInput<'PinterestService'> {
    const containers = [{ name: 'app', image: `registry.example.com/cart:${tag}`, ports: [{ containerPort: 8080 }] }];
    return {
      apiVersion,
      kind,
      metadata: { name: 'cart', namespace: 'shop', annotations: this.#annotations },
      spec: { replicas: 2, loadBalancer: { port: 8080 }, template: { spec: { containers } }, ...spec },
    };
  }
}
