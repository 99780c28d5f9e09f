import { Registry } from 'prom-client';
import { type Clock, connect, type ConnectionSettings, type KubeClient, type Resource } from '../kube';
import { errorText } from '../process';
import { RbacMirror } from './authorization/rbac-mirror';
import { groupResourceOf } from './cache/cached-resource';
import { ObjectCache } from './cache/object-cache';
import { checkCacheableResources, discoverResource, type ResourceName } from './cache/discover-resource';
import { type DefaultApiBudgets } from './flow-control/api-budget';
import { ClientPolicy } from './flow-control/client-policy';
import { FlowControl } from './flow-control/flow-control';
import { DeletedIdentities } from './identity/deleted-identities';
import { TokenReviews } from './identity/token-reviews';
import { registerCacheMetrics } from './metrics/cache-metrics';
import { registerFlowMetrics } from './metrics/flow-metrics';
import { GatewayMetrics } from './metrics/gateway-metrics';
import { registerPlatformMetrics } from './metrics/platform-metrics';
import { WatchFailures } from './metrics/watch-failures';
import { FreshnessProof, type FreshnessProofOptions } from './reads/freshness-proof';
import { type ReadBound } from './server/cached-reads';
import { GatewayHandler } from './server/gateway-handler';
import { GatewayListener, type ServingCertificate } from './server/gateway-listener';
import { notReadyReason } from './server/not-ready-reason';
import { Upstream } from './upstream/upstream';
import { UpstreamFreshness } from './upstream/upstream-freshness';
import { UpstreamWatch } from './upstream/upstream-watch';

/** Options of a gateway. */
export interface GatewayOptions {
  /** Connection to the API server, with the gateway's own credential. */
  readonly apiServer: ConnectionSettings;
  readonly clock: Clock;
  /** User agent of the gateway's own requests, such as `pinion-gateway/1.0.0`. */
  readonly userAgent: string;
  /** Audience that tokens of service accounts must have. */
  readonly audience: string;
  /** Resources that are read from caches. */
  readonly resources: readonly ResourceName[];
  /** Whether ConfigMaps, some of which contain credentials, may be among the resources. @default false */
  readonly cacheConfigMaps?: boolean;
  /** Certificate and key in PEM; plain HTTP without them, for a proxy in front. */
  readonly tls?: ServingCertificate;
  /** @default 127.0.0.1 */
  readonly host?: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Ends a start that has yet to resolve, which rejects then. @default - never */
  readonly signal?: AbortSignal;
  /** Budgets of reads, where the Platform states none. @default - 50 requests and 32 MiB a second for an account */
  readonly budgets?: DefaultApiBudgets;
  /** Namespaces of the platform's programs, in addition to `kube-system` and those that the Platform names. */
  readonly platformNamespaces?: readonly string[];
  /** Registry of the metrics. @default - none are exposed */
  readonly registry?: Registry;
  /** Called for failures that are not a client's. */
  readonly onError: (message: string) => void;
}

/** Bounds of the events that are kept for clients that reconnect, of each resource. */
const logLimits = { events: 50_000, bytes: 128 * 1_024 * 1_024 };

/** Gateway that is running. */
export interface Gateway {
  readonly port: number;
  /** Caches, by plural and group, such as `pods` and `deployments.apps`. */
  readonly caches: ReadonlyMap<string, ObjectCache>;
  /** Returns why it should get no requests now; undefined if it should. */
  notReadyReason(): string | undefined;
  /** Presents another certificate to connections from now on. Throws for a key that is not its own; needs `tls`. */
  setCertificate(tls: ServingCertificate): void;
  /**
   * Accepts no more connections, ends watches one after the other within some milliseconds, and closes each connection
   * after its response, so that clients continue elsewhere. Resolves after that time, or when no request is open; `stop`
   * ends the rest.
   */
  drain(milliseconds: number): Promise<void>;
  /** Ends all watches and connections; resolves when the port is closed. */
  stop(): Promise<void>;
}

/**
 * Starts a gateway; resolves when its caches are filled and it listens. What has been started stops again if it rejects:
 * for a resource that cannot be cached, an API server that cannot be reached, or a port that is in use.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const stopping = new AbortController();
  const stops: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    stopping.abort();
    for (const each of stops.splice(0).reverse()) await each();
  };
  const abort = (): void => void stop();
  options.signal?.addEventListener('abort', abort, { once: true });
  let isStarted = false;
  try {
    options.signal?.throwIfAborted();
    const started = await start(options, stopping.signal, stops);
    isStarted = !stopping.signal.aborted;
    stopping.signal.throwIfAborted();
    return { ...started, stop };
  } finally {
    options.signal?.removeEventListener('abort', abort);
    if (!isStarted) await stop();
  }
}

/** Starts everything; `stops` receives how each part is stopped, which happens in the reverse order. */
async function start(
  options: GatewayOptions,
  signal: AbortSignal,
  stops: (() => unknown)[],
): Promise<Omit<Gateway, 'stop'>> {
  const { apiServer, clock, userAgent, audience, onError } = options;
  const report = (error: unknown): void => onError(errorText(error));
  const client = connect(apiServer, { clock, userAgent, rate: { qps: 1_000, burst: 1_000 } });
  stops.push(() => client.close());
  const upstream = new Upstream(apiServer, clock);
  stops.push(() => upstream.close());
  const caches = await cachesOf(options, client);
  const { registry = new Registry() } = options;
  stops.push(ownMetrics(registry));
  const failures = new WatchFailures(registry);
  const reportWatch = (error: unknown, { plural }: Pick<Resource, 'plural'>): void => {
    failures.count(plural);
    report(error);
  };
  const watches = [...caches].map(([name, cache]) => {
    failures.addResource(name);
    return new UpstreamWatch({
      upstream,
      clock,
      cache,
      userAgent,
      onError: (message) => reportWatch(message, { plural: name }),
    }).run(signal);
  });
  stops.push(() => Promise.all(watches));
  const rbac = new RbacMirror({ client, clock, onError: reportWatch });
  const deleted = new DeletedIdentities({ client, clock, pods: caches.get('pods'), onError: reportWatch });
  stops.push(() => Promise.all([rbac.stop(), deleted.stop()]));
  await Promise.all([rbac.start(signal), deleted.start(signal)]);
  const { budgets, platformNamespaces } = options;
  const policy = new ClientPolicy({ client, clock, budgets, platformNamespaces, onError: report });
  stops.push(() => policy.stop());
  policy.start();
  const flow = new FlowControl({ clock, facts: () => policy.flow });
  const metrics = metricsOf(registry, clock, caches, flow);
  const handler = new GatewayHandler({
    upstream,
    clock,
    rbac,
    flow,
    metrics,
    deleted,
    tokens: new TokenReviews(client, audience, clock),
    cacheOf: (group, version, plural) => {
      const cache = caches.get(groupResourceOf({ group, plural }));
      return cache?.resource.version === version ? cache : undefined;
    },
    boundOf: boundsOf(caches, policy, {
      source: new UpstreamFreshness(upstream, clock, userAgent),
      clock,
      onError: report,
    }),
    onError: report,
  });
  await Promise.all([...caches.values()].map((cache) => whenFilled(cache, signal)));
  const { tls, host, port } = options;
  const listener = await GatewayListener.start({ tls, host, port, handler, onError: report });
  stops.push(() => listener.stop());
  let served = tls?.certificate;
  registerPlatformMetrics(registry, policy, () => served);
  handler.start();
  stops.push(() => handler.stop());
  return {
    port: listener.port,
    caches,
    notReadyReason: () => notReadyReason(caches, rbac, clock.now()),
    setCertificate: (certificate) => {
      listener.setCertificate(certificate);
      served = certificate.certificate;
    },
    drain: (milliseconds) => {
      listener.closePort();
      return handler.drain(milliseconds);
    },
  };
}

/** Returns an empty cache of each resource, by plural and group. */
async function cachesOf(options: GatewayOptions, client: KubeClient): Promise<ReadonlyMap<string, ObjectCache>> {
  checkCacheableResources(options.resources, options);
  const caches = new Map<string, ObjectCache>();
  for (const name of options.resources) {
    const key = groupResourceOf(name);
    const report = (error: unknown): void => options.onError(`watches of ${key}: ${errorText(error)}`);
    caches.set(key, new ObjectCache(await discoverResource(client, name), logLimits, report));
  }
  return caches;
}

/** Returns a function that returns the bound of a cache, as the Platform states it now. */
function boundsOf(
  caches: Gateway['caches'],
  policy: ClientPolicy,
  options: Omit<FreshnessProofOptions, 'cache'>,
): (cache: ObjectCache) => ReadBound | undefined {
  const proofs = new Map([...caches.values()].map((cache) => [cache, new FreshnessProof({ ...options, cache })]));
  return (cache) => {
    const maxAge = policy.maxAges.get(groupResourceOf(cache.resource));
    const proof = proofs.get(cache);
    return maxAge === undefined || !proof ? undefined : { proof, maxAge };
  };
}

/** Registers the metrics of a gateway. */
function metricsOf(registry: Registry, clock: Clock, caches: Gateway['caches'], flow: FlowControl): GatewayMetrics {
  registerCacheMetrics(registry, caches, clock);
  registerFlowMetrics(registry, flow);
  const metrics = new GatewayMetrics(registry);
  for (const { resource } of caches.values()) metrics.addResource(resource);
  return metrics;
}

/** Returns a function that removes the metrics that are registered from now on, so that another gateway can have them. */
function ownMetrics(registry: Registry): () => void {
  const others = new Set(registry.getMetricsAsArray().map(({ name }) => name));
  return () => {
    for (const { name } of registry.getMetricsAsArray()) if (!others.has(name)) registry.removeSingleMetric(name);
  };
}

/** Resolves when a cache is filled for the first time; rejects when the signal is aborted before. */
function whenFilled(cache: ObjectCache, signal: AbortSignal): Promise<void> {
  if (cache.version !== undefined) return Promise.resolve();
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
    cache.onceAdvanced(resolve);
  });
}
