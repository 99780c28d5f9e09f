import { type Registry } from 'prom-client';
import { type AddressInfo } from 'node:net';
import {
  BackOff,
  type Clock,
  delay,
  errorText,
  jsonLog,
  loadDefaultConfig,
  type Log,
  serveHealth,
  whenAborted,
} from '../kube';
import { type Gateway, startGateway } from './gateway';
import { type GatewayArguments } from './gateway-arguments';
import { registerProcessMetrics } from './metrics/process-metrics';
import { CertificateReload } from './server/certificate-reload';

/** Process in which the gateway runs. */
export interface GatewayProcess {
  readonly clock: Clock;
  readonly registry: Registry;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly write: (line: string) => void;
  /** Aborted on shutdown. */
  readonly stop: AbortSignal;
}

/**
 * Runs the gateway until shutdown; returns the exit code. It starts again and again until the API server answers. On
 * shutdown it is no longer ready, serves on until load balancers have noticed, then ends watches one after the other.
 */
export async function runGateway(arguments_: GatewayArguments, context: GatewayProcess): Promise<number> {
  const { clock, registry, write, stop } = context;
  const log = jsonLog(write, () => clock.now(), arguments_.logLevel);
  const certificate = arguments_.tls && new CertificateReload(arguments_.tls, clock, log);
  let gateway: Gateway | undefined;
  const whyNotReady = (): string | undefined => {
    if (stop.aborted) return 'the gateway stops';
    return gateway ? gateway.notReadyReason() : 'the caches are not filled yet';
  };
  registerProcessMetrics(registry, { isReady: () => whyNotReady() === undefined });
  const health = await serveHealth(arguments_.statusPort, arguments_.host, {
    unhealthyReason: () => undefined,
    notReadyReason: whyNotReady,
    metrics: () => registry.metrics(),
  });
  log.info('serving status', { statusPort: (health.address() as AddressInfo).port });
  try {
    gateway = await startRepeatedly(arguments_, context, certificate, log);
    if (!gateway) return 0;
    log.info('serving', { port: gateway.port });
    const serving = gateway;
    certificate?.start((replacement) => serving.setCertificate(replacement));
    await whenAborted(stop);
    await shutDown(gateway, arguments_, clock, log);
    return 0;
  } finally {
    certificate?.stop();
    health.close();
    health.closeAllConnections();
    log.info('stopped');
  }
}

/** Starts the gateway, as often as it takes; resolves with undefined on shutdown. */
async function startRepeatedly(
  arguments_: GatewayArguments,
  context: GatewayProcess,
  certificate: CertificateReload | undefined,
  log: Log,
): Promise<Gateway | undefined> {
  const { clock, registry, stop } = context;
  const { audience, resources, cacheConfigMaps, platformNamespaces, host, port } = arguments_;
  const apiServer = loadDefaultConfig(context.environment, arguments_);
  const backOff = new BackOff(clock);
  while (!stop.aborted)
    try {
      return await startGateway({
        apiServer,
        clock,
        userAgent: 'pinion-gateway',
        audience,
        resources,
        cacheConfigMaps,
        platformNamespaces,
        ...(certificate && { tls: certificate.current }),
        host,
        port,
        registry,
        signal: stop,
        onError: (error) => log.warn('failed', { error }),
      });
    } catch (error) {
      if (stop.aborted) return undefined;
      log.error('not started', { error: errorText(error) });
      await delay(clock, backOff.next(), stop);
    }
  return undefined;
}

async function shutDown(
  gateway: Gateway,
  { shutdownDelay, drain }: GatewayArguments,
  clock: Clock,
  log: Log,
): Promise<void> {
  log.info('stopping', { shutdownDelay, drain });
  await delay(clock, shutdownDelay * 1_000);
  await gateway.drain(drain * 1_000);
  await gateway.stop();
}
