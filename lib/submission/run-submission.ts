import { readFileSync } from 'node:fs';
import { type Registry } from 'prom-client';
import { explainProblem, isError, manager, type Problem } from '../api';
import {
  ArtifactStore,
  FolderObjects,
  issuerKeysByDiscovery,
  witnessIn,
  type IssuerKeys,
  type Objects,
} from '../artifact';
import type * as CloudRoom from '../cloud';
import { type Caller, type Deployment } from '../contract';
import {
  clientMetrics,
  connect,
  inCluster,
  loadKubeConfig,
  runForLease,
  type Clock,
  type ConnectionSettings,
  type KubeClient,
} from '../kube';
import { examineSubmission, type IdentitySettings, type SubmissionSettings } from '../programs';
import { DeploymentMetrics } from './deployment-metrics';
import { SubmissionEngine } from './engine/engine';
import { KnownArtifacts } from './engine/known-artifacts';
import { type HandedRoute } from './http/handed-route';
import { startEntrance } from './http/start-entrance';
import { knownIdentity, sessionKeyFile } from './identity/index';
import { errorText, jsonLog, type Log } from './log';
import { pageRoutes } from './page-files';
import { ConfigMapState } from './state/config-map-state';
import { KubernetesTarget } from './targets/kubernetes-target';

/** What the service needs of its process. */
export interface SubmissionProcess {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly registry: Registry;
  /** Name of the machine or pod. */
  readonly host: string;
  readonly write: (line: string) => void;
  /** Folder of the page that it serves. */
  readonly page: string;
  /** Raised when the process is asked to end. */
  readonly stop: AbortSignal;
}

/** How the process ends: as it was asked to, because something failed, it was set up wrongly. */
export const submissionExit = { fine: 0, failed: 1, settings: 2 } as const;

type SubmissionExit = (typeof submissionExit)[keyof typeof submissionExit];

/** Name of the lease of the one process that drives deployments; all of them take them in. */
const leaseName = 'submission';

/** Milliseconds for which keys of issuers are used: they exchange them after weeks. */
const keysFor = 600_000;

/** Runs the service until it is asked to end; gives the exit code. */
export async function runSubmission(process: SubmissionProcess): Promise<SubmissionExit> {
  const { environment, clock, write } = process;
  const log = jsonLog(write, () => clock.now());
  const read = readAll(environment);
  if ('problems' in read) {
    for (const problem of read.problems) log.error('a setting is wrong', { problem: explainProblem(problem) });
    return submissionExit.settings;
  }
  try {
    return await new RunningSubmission(process, log, read).run();
  } catch (error) {
    log.error('the service cannot go on', { error: errorText(error) });
    return submissionExit.failed;
  }
}

interface Told {
  readonly settings: SubmissionSettings;
  readonly identity: IdentitySettings;
  readonly namespace: string;
}

/** Reads the file that the environment names, or says all that is wrong. */
function readAll(environment: SubmissionProcess['environment']): Told | { readonly problems: readonly Problem[] } {
  const path = environment['SUBMISSION_CONFIG'] ?? '/etc/pinion/submission.json';
  const namespace = environment['PINION_PROJECT'] ?? '';
  const problems: Problem[] = [];
  if (namespace === '')
    problems.push({
      code: 'required',
      object: 'environment',
      path: ['PINION_PROJECT'],
      reason: 'is missing',
      remedy: 'name the namespace that it runs in',
    });
  let input: unknown;
  try {
    input = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    problems.push({
      code: 'unreadable',
      object: path,
      path: [],
      reason: `cannot be read as JSON: ${errorText(error)}`,
      remedy: 'mount it, or name another file by SUBMISSION_CONFIG',
    });
    return { problems };
  }
  const { settings, identity, problems: wrong } = examineSubmission(input);
  problems.push(...wrong.map((one) => ({ object: path, ...one })));
  return settings && identity && !problems.some(isError) ? { settings, identity, namespace } : { problems };
}

class RunningSubmission {
  private readonly clients: KubeClient[] = [];
  private isLeading = (): boolean => false;

  constructor(
    private readonly process: SubmissionProcess,
    private readonly log: Log,
    private readonly told: Told,
  ) {}

  async run(): Promise<SubmissionExit> {
    const { clock, registry, host, stop } = this.process;
    const { settings, namespace } = this.told;
    const instance = `${host}_${Math.floor(clock.random() * 2 ** 48).toString(36)}`;
    const onError = (error: unknown): void => this.log.warn('a request failed', { error: errorText(error) });
    const home = this.connected(this.settingsOf(undefined));
    const state = new ConfigMapState({ client: home.reader, clock, namespace, onError });
    const quotaNamespace = settings.quotaNamespace === undefined ? {} : { quotaNamespace: settings.quotaNamespace };
    const targets = new Map(
      settings.clusters.map(({ name, kubeconfig }) => {
        const clients = kubeconfig === undefined ? home : this.connected(this.settingsOf(kubeconfig));
        return [name, new KubernetesTarget({ name, ...clients, clock, instance, onError, ...quotaNamespace })];
      }),
    );
    const metrics = new DeploymentMetrics(registry, () =>
      state.hasSynced() ? state.projects().reduce((sum, one) => sum + state.ledger(one).open.length, 0) : 0,
    );
    const artifacts = new KnownArtifacts({
      store: new ArtifactStore(objectsAt(settings.store)),
      issuerKeys: this.issuerKeys(),
      ...(settings.witness !== undefined && { witness: witnessIn(objectsAt(settings.witness)) }),
    });
    const engine = new SubmissionEngine({
      state,
      artifacts,
      targets,
      clock,
      onEnd: (deployment) => {
        metrics.end(deployment);
        const { cause } = deployment;
        this.log.info('deployment ended', {
          ...factsOf(deployment),
          ...(cause && { owner: cause.owner, reason: cause.reason }),
        });
      },
      onBreakGlass: (deployment, caller) => {
        metrics.breakGlass(deployment);
        this.tellOfBreakGlass(deployment, caller, targets);
      },
      onError: (error, project) => {
        metrics.failed();
        this.log.warn('a step failed and is tried again', { project, error: errorText(error) });
      },
    });
    const entrance = await this.entrance(engine, home.reader);
    this.log.info('serving', { port: entrance.port, statusPort: entrance.statusPort, identity: instance });
    try {
      const mirrors = [...targets.values()].map((target) => target.start(stop));
      // Whatever is driven does not wait for a cluster that does not answer, apart from what is to go there.
      for (const mirror of mirrors) mirror.catch(() => undefined);
      await Promise.all([state.start(stop), Promise.any(mirrors)]);
      this.log.info('mirrored', { identity: instance });
      while (!stop.aborted) await this.runForLead(engine, home.reader, instance);
      return submissionExit.fine;
    } catch (error) {
      if (stop.aborted) return submissionExit.fine;
      throw error;
    } finally {
      await entrance.stop();
      await Promise.all([state.stop(), ...[...targets.values()].map((target) => target.stop())]);
      for (const client of this.clients) client.close();
      this.log.info('ended', { identity: instance });
    }
  }

  /** Runs for the lead, and drives while it is held; one that loses it serves on and runs again, once nothing of its own is under way. */
  private async runForLead(engine: SubmissionEngine, client: KubeClient, identity: string): Promise<void> {
    const { clock, stop } = this.process;
    let work = Promise.resolve();
    const election = runForLease({
      client,
      namespace: this.told.namespace,
      name: leaseName,
      identity,
      clock,
      onLead: (signal) => {
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

  private entrance(engine: SubmissionEngine, client: KubeClient): ReturnType<typeof startEntrance> {
    const { clock, registry, page } = this.process;
    const { settings, identity: identitySettings } = this.told;
    const { session } = identitySettings;
    const { identity, routes } = knownIdentity({
      settings: identitySettings,
      clock,
      client,
      ...(session && {
        sessionKeys: sessionKeyFile(session.keysFile, clock, (problem) => this.log.error('session keys', { problem })),
      }),
      ...(session?.clientSecretFile !== undefined && {
        clientSecret: readFileSync(session.clientSecretFile, 'utf8').trim(),
      }),
      onLoginFailure: (code) => this.log.warn('a login did not come about', { code }),
    });
    return startEntrance({
      service: engine,
      identity,
      clock,
      log: this.log,
      audit: (record) => this.log.info('audit', { ...record }),
      registry,
      host: settings.host,
      port: settings.port,
      statusPort: settings.statusPort,
      routes: [...(routes as readonly HandedRoute[]), ...pageRoutes(page)],
      ...(settings.origin !== undefined && { origin: settings.origin }),
      isBehindTls: settings.tlsInFront,
      trustedProxies: settings.trustedProxies,
      limits: settings.limits,
    });
  }

  /** Two clients of a cluster: one that always may, and one that writes workloads only while this process leads. */
  private connected(settings: ConnectionSettings): { readonly reader: KubeClient; readonly writer: KubeClient } {
    const { clock, registry } = this.process;
    const common = { clock, userAgent: `${manager}-submission`, rate: { qps: 500, burst: 1_000 } };
    const metrics = this.clients.length === 0 ? { metrics: clientMetrics(registry) } : {};
    const reader = connect(settings, { ...common, ...metrics });
    const writer = connect(settings, { ...common, mayWrite: () => this.isLeading() });
    this.clients.push(reader, writer);
    return { reader, writer };
  }

  private settingsOf(kubeconfig: string | undefined): ConnectionSettings {
    const { environment } = this.process;
    if (kubeconfig !== undefined) return loadKubeConfig({ environment, file: kubeconfig });
    return environment['KUBERNETES_SERVICE_HOST'] ? inCluster({ environment }) : loadKubeConfig({ environment });
  }

  private issuerKeys(): () => IssuerKeys {
    const { clock } = this.process;
    let known: { readonly at: number; readonly keys: IssuerKeys } | undefined;
    return () => {
      if (!known || clock.now() - known.at > keysFor) known = { at: clock.now(), keys: issuerKeysByDiscovery() };
      return known.keys;
    };
  }

  /** Nobody goes past the publishers of a stage in silence. */
  private tellOfBreakGlass(
    deployment: Deployment,
    caller: Caller,
    targets: ReadonlyMap<string, KubernetesTarget>,
  ): void {
    const { project, workflow, version, stage, breakGlass = '' } = deployment;
    const message = `${caller.subject} deploys ${workflow}@${version} to ${stage} past its publishers: ${breakGlass}`;
    this.log.warn('break-glass', {
      ...factsOf(deployment),
      subject: caller.subject,
      issuer: caller.issuer,
      why: breakGlass,
    });
    for (const { name } of deployment.targets) targets.get(name)?.warn(project, 'BreakGlass', message);
    const url = this.told.settings.breakGlassWebhook;
    if (url === undefined) return;
    const body = JSON.stringify({
      ...factsOf(deployment),
      subject: caller.subject,
      issuer: caller.issuer,
      why: breakGlass,
    });
    const headers = { 'content-type': 'application/json' };
    fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000), redirect: 'error' }).then(
      ({ status }) =>
        status >= 300 && this.log.error('nobody was told of a break-glass', { status, id: deployment.id }),
      (error: unknown) =>
        this.log.error('nobody was told of a break-glass', { error: errorText(error), id: deployment.id }),
    );
  }
}

const factsOf = ({ id, project, workflow, version, stage, phase, digest }: Deployment) => ({
  ...{ id, project, workflow, version, stage, phase, digest },
});

/** Region, credentials and endpoint of S3 are what the SDK of AWS finds in the environment. */
function objectsAt(place: string): Objects {
  const [, bucket, prefix] = /^s3:\/\/([^/]+)(?:\/+(.*?))?\/*$/.exec(place) ?? [];
  if (bucket === undefined) return new FolderObjects(place);
  const cloud = module.require('../cloud') as typeof CloudRoom;
  return new cloud.S3Objects({ bucket, ...(prefix && { prefix }) });
}
