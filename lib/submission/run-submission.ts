import { readFileSync } from 'node:fs';
import { type Registry } from 'prom-client';
import { explainProblem } from '../api';
import {
  ArtifactStore,
  FolderBlobStore,
  issuerKeysByDiscovery,
  parseStoreLocation,
  createVerificationStore,
  type IssuerKeys,
  type BlobStore,
} from '../artifact';
import type * as CloudModule from '../cloud';
import { runForLease, type Clock, type KubeClient, errorText, jsonLog, type Log } from '../kube';
import { Connections } from './connections';
import { DeploymentMetrics } from './deployment-metrics';
import { SubmissionEngine } from './engine/engine';
import { ArtifactCache } from './engine/artifact-cache';
import { type ExtraRoute } from './http/extra-route';
import { startHttpServer } from './http/start-http-server';
import { createAuthenticator, sessionKeyFile } from './identity';
import { pageRoutes } from './page-files';
import { ConfigMapState } from './state/config-map-state';
import { KubernetesTarget } from './targets/kubernetes-target';
import { DeploymentNotifier } from './deployment-notifier';
import { loadSubmissionSettings, type LoadedSettings } from './load-submission-settings';

/** Environment and services of the process. */
export interface SubmissionProcess {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly registry: Registry;
  /** Host or pod name. */
  readonly host: string;
  readonly write: (line: string) => void;
  /** Folder of the page. */
  readonly page: string;
  /** Aborted on shutdown. */
  readonly stop: AbortSignal;
}

/** Exit codes: shutdown, failure, invalid settings. */
export const submissionExit = { success: 0, failed: 1, settings: 2 } as const;

type SubmissionExit = (typeof submissionExit)[keyof typeof submissionExit];

/** Lease of the process that reconciles deployments; all processes accept them. */
const leaseName = 'submission';

/** Milliseconds for which issuer keys are cached; issuers rotate them after weeks. */
const issuerKeysTtl = 600_000;

/** Runs the service until shutdown; returns the exit code. */
export async function runSubmission(process: SubmissionProcess): Promise<SubmissionExit> {
  const { environment, clock, write } = process;
  const log = jsonLog(write, () => clock.now());
  const read = loadSubmissionSettings(environment);
  if ('problems' in read) {
    for (const problem of read.problems) log.error('invalid setting', { problem: explainProblem(problem) });
    return submissionExit.settings;
  }
  try {
    return await new RunningSubmission(process, log, read).run();
  } catch (error) {
    log.error('service failed', { error: errorText(error) });
    return submissionExit.failed;
  }
}

class RunningSubmission {
  private readonly connections: Connections;
  private isLeading = (): boolean => false;

  constructor(
    private readonly process: SubmissionProcess,
    private readonly log: Log,
    private readonly loaded: LoadedSettings,
  ) {
    this.connections = new Connections({ ...process, isLeading: () => this.isLeading() });
  }

  async run(): Promise<SubmissionExit> {
    const { clock, host, stop } = this.process;
    const identity = `${host}_${Math.floor(clock.random() * 2 ** 48).toString(36)}`;
    const localClients = this.connections.to();
    const { state, targets, engine } = this.parts(localClients, identity);
    const server = await this.startServer(engine, localClients.reader);
    this.log.info('serving', { port: server.port, statusPort: server.statusPort, identity });
    try {
      const caches = [...targets.values()].map((target) => target.start(stop));
      // An unreachable cluster delays only its own deployments.
      for (const cache of caches) cache.catch(() => undefined);
      await Promise.all([state.start(stop), Promise.any(caches)]);
      this.log.info('caches synced', { identity });
      while (!stop.aborted) await this.runForLead(engine, localClients.reader, identity);
      return submissionExit.success;
    } catch (error) {
      if (stop.aborted) return submissionExit.success;
      throw error;
    } finally {
      await server.stop();
      await Promise.all([state.stop(), ...[...targets.values()].map((target) => target.stop())]);
      this.connections.close();
      this.log.info('ended', { identity });
    }
  }

  /** Creates the engine with its state and targets, without starting them. */
  private parts(localClients: ReturnType<Connections['to']>, instance: string) {
    const { clock, registry } = this.process;
    const { settings, namespace, webhook, deploymentKey } = this.loaded;
    const onError = (error: unknown): void => this.log.warn('a request failed', { error: errorText(error) });
    const state = new ConfigMapState({ client: localClients.reader, clock, namespace, onError });
    const quotaNamespace = settings.quotaNamespace === undefined ? {} : { quotaNamespace: settings.quotaNamespace };
    const targets = new Map(
      settings.clusters.map(({ name, kubeconfig }) => {
        const clients = kubeconfig === undefined ? localClients : this.connections.to(kubeconfig);
        return [name, new KubernetesTarget({ name, ...clients, clock, instance, onError, ...quotaNamespace })];
      }),
    );
    const metrics = new DeploymentMetrics(registry, () =>
      state.hasSynced() ? state.projects().reduce((sum, one) => sum + state.inProgress(one).length, 0) : 0,
    );
    const notifier = new DeploymentNotifier({ log: this.log, metrics, targets, webhook });
    const engine = new SubmissionEngine({
      state,
      artifacts: this.artifacts(),
      deploymentKey,
      targets,
      clock,
      onEnd: (deployment) => notifier.notifyEnd(deployment),
      onBreakGlass: (deployment, caller) => notifier.notifyBreakGlass(deployment, caller),
      onError: (error, project) => {
        metrics.countFailure();
        this.log.warn('a step failed and is retried', { project, error: errorText(error) });
      },
    });
    return { state, targets, engine };
  }

  private artifacts(): ArtifactCache {
    const { artifactStore, verificationStore } = this.loaded.settings;
    return new ArtifactCache({
      store: new ArtifactStore(openBlobStore(artifactStore)),
      issuerKeys: this.issuerKeys(),
      ...(verificationStore !== undefined && {
        verifications: createVerificationStore(openBlobStore(verificationStore)),
      }),
    });
  }

  /** Runs leader election and reconciles while leading; after a lost lease, finishes its own work before it returns. */
  private async runForLead(engine: SubmissionEngine, client: KubeClient, identity: string): Promise<void> {
    const { clock, stop } = this.process;
    let work = Promise.resolve();
    const election = runForLease({
      client,
      namespace: this.loaded.namespace,
      name: leaseName,
      identity,
      clock,
      onStartedLeading: (signal) => {
        this.log.info('leading', { identity });
        return (work = engine.lead(signal));
      },
      onLost: () => this.log.error('lost the lease', { identity }),
      onError: (error) => this.log.warn('lease not renewed', { error: errorText(error) }),
    });
    this.isLeading = () => election.isLeading();
    const end = (): void => void election.stop();
    stop.addEventListener('abort', end, { once: true });
    if (stop.aborted) end();
    await election.done;
    stop.removeEventListener('abort', end);
    await work;
  }

  private startServer(engine: SubmissionEngine, client: KubeClient): ReturnType<typeof startHttpServer> {
    const { clock, registry, page } = this.process;
    const { settings, identity: identitySettings } = this.loaded;
    const { session } = identitySettings;
    const { identity, routes } = createAuthenticator({
      settings: identitySettings,
      clock,
      client,
      ...(session && {
        sessionKeys: sessionKeyFile(session.keysFile, clock, (problem) => this.log.error('session keys', { problem })),
      }),
      ...(session?.clientSecretFile !== undefined && {
        clientSecret: readFileSync(session.clientSecretFile, 'utf8').trim(),
      }),
      onLoginFailure: (code) => this.log.warn('a login failed', { code }),
    });
    return startHttpServer({
      service: engine,
      identity,
      clock,
      log: this.log,
      audit: (record) => this.log.info('audit', { ...record }),
      registry,
      host: settings.host,
      port: settings.port,
      statusPort: settings.statusPort,
      routes: [...(routes as readonly ExtraRoute[]), ...pageRoutes(page)],
      ...(settings.origin !== undefined && { origin: settings.origin }),
      isBehindTls: settings.behindTlsProxy,
      trustedProxies: settings.trustedProxies,
      limits: settings.limits,
    });
  }

  private issuerKeys(): () => IssuerKeys {
    const { clock } = this.process;
    let known: { readonly at: number; readonly keys: IssuerKeys } | undefined;
    return () => {
      if (!known || clock.now() - known.at > issuerKeysTtl) known = { at: clock.now(), keys: issuerKeysByDiscovery() };
      return known.keys;
    };
  }
}

/** Opens a blob store; the AWS SDK reads region, credentials and endpoint of S3 from the environment. */
function openBlobStore(text: string): BlobStore {
  const location = parseStoreLocation(text);
  if (!location) throw new Error(`${text} is not a blob store`);
  if ('folder' in location) return new FolderBlobStore(location.folder);
  const cloud = module.require('../cloud') as typeof CloudModule;
  return new cloud.S3Objects(location);
}
