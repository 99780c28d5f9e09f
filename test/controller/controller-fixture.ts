import { Registry } from 'prom-client';
import { apiVersion, parseManifest, type ManifestInput } from '../../lib/api';
import { Cache, ControllerMetrics } from '../../lib/controller-runtime';
import { type ControllerManager, PinionController } from '../../lib/controller/pinion-controller';
import { type IssuerKeys } from '../../lib/artifact';
import { type ControllerScope, defaultPlatform, defaultProfile, installManifests } from '../../lib/expand';
import { errorText, EventRecorder, type LiveObject, type Log } from '../../lib/kube';
import { ManualClock, settled } from '../kube/manual-clock';
import { FakeApiServer } from './fake-api-server';

/** A line of the controller's log. */
export interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A controller, a server, and a clock that advances only on request. */
export class ControllerFixture {
  readonly server = new FakeApiServer();
  readonly clock = new ManualClock();
  registry = new Registry();
  readonly lines: Line[] = [];
  leads = true;
  private scopes: readonly ControllerScope[] | undefined;
  /** Returns the keys of an issuer. */
  issuerKeys: IssuerKeys = () => Promise.reject(new Error('not expected'));
  private recorder: EventRecorder | undefined;
  cache = this.createCache();
  controller = this.createController();

  /** Replaces the controller, before it is started, by one that reconciles less. */
  limitTo(...scopes: readonly ControllerScope[]): void {
    this.scopes = scopes;
    this.registry = new Registry();
    this.cache = this.createCache();
    this.controller = this.createController();
  }

  /** Writes manifests with defaults, as the API server would set them. */
  apply(...manifests: readonly ManifestInput[]): void {
    for (const manifest of manifests) {
      const { kind, metadata } = manifest;
      const { name, namespace = '' } = metadata as { readonly name: string; readonly namespace?: string };
      const present = this.server.find(kind, namespace, name);
      const { spec } = parseManifest(manifest);
      this.server.put({ ...present, apiVersion, kind, metadata: { ...present?.metadata, ...metadata }, spec });
    }
  }

  /** Writes the admission policies of the installation. */
  installPolicies(): void {
    const singleController = this.scopes?.length !== 1;
    for (const object of installManifests({ image: 'registry.example.com/pinion:1.0.0', singleController }))
      if (object.kind.startsWith('ValidatingAdmissionPolicy')) this.server.put(structuredClone(object));
  }

  /** Starts with a minimal platform, and reconciles. */
  async start(...manifests: readonly ManifestInput[]): Promise<void> {
    this.apply(defaultProfile, defaultPlatform, ...manifests);
    await this.cache.start();
    this.controller.start();
    await this.settle();
  }

  /** Advances the clock and waits until no work is pending. */
  async settle(milliseconds = 0): Promise<void> {
    await this.clock.advance(milliseconds);
    for (let round = 0; round < 5; round++) {
      await this.controller.idle();
      await settled();
    }
  }

  /** Replaces the controller by one without any state. */
  async restart(): Promise<void> {
    await this.stop();
    this.registry = new Registry();
    this.cache = this.createCache();
    this.controller = this.createController();
    await this.cache.start();
    this.controller.start();
    await this.settle();
  }

  /** Stops the controller, however long that takes by its clock. */
  async stop(): Promise<void> {
    let stopped = false;
    void this.controller
      .stop()
      .then(() => this.recorder?.stop(2_000))
      .then(() => this.cache.stop())
      .then(() => (stopped = true));
    while (!stopped) await this.clock.advance(60_000);
  }

  /** Status of an object. */
  status(kind: string, namespace: string, name: string): Readonly<Record<string, unknown>> {
    return (this.server.find(kind, namespace, name)?.['status'] ?? {}) as Readonly<Record<string, unknown>>;
  }

  /** Status of the condition Ready of an object. */
  ready(kind: string, namespace: string, name: string): { readonly status: string; readonly message: string } {
    const conditions = this.status(kind, namespace, name)['conditions'] as
      readonly { readonly type: string; readonly status: string; readonly message: string }[] | undefined;
    return conditions?.find(({ type }) => type === 'Ready') ?? { status: 'Unknown', message: '' };
  }

  /** Changes an object as another client. */
  change(kind: string, namespace: string, name: string, change: (object: LiveObject) => object): void {
    const present = this.server.find(kind, namespace, name);
    if (!present) throw new Error(`${kind} ${name} not found`);
    this.server.put(change(present));
  }

  private createCache(): Cache {
    return new Cache({ client: this.server, clock: this.clock, log: this.log(), registry: this.registry });
  }

  private createController(): PinionController {
    const { server: client, cache, clock, registry } = this;
    const log = this.log();
    const onError = (error: unknown): void => log.warn('event not recorded', { error: errorText(error) });
    const manager: ControllerManager = {
      apiClient: client,
      cache,
      clock,
      registry,
      log,
      metrics: new ControllerMetrics(registry, clock),
      isLeading: () => this.leads,
      eventRecorderFor: (component) =>
        (this.recorder = new EventRecorder({ client, clock, component, instance: 'test', onError })),
    };
    return new PinionController({
      manager,
      ...(this.scopes && { scopes: this.scopes }),
      issuerKeys: (issuer) => this.issuerKeys(issuer),
    });
  }

  private log(): Log {
    const at = (level: string) => (message: string, fields: object) =>
      void this.lines.push({ level, message, fields: { ...fields } });
    const [debug, info, warn, error] = ['debug', 'info', 'warn', 'error'].map(at) as [
      Log['debug'],
      Log['info'],
      Log['warn'],
      Log['error'],
    ];
    return { debug, info, warn, error };
  }
}
