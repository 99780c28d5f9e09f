import { type Server } from 'node:http';
import { serveHealth } from '../../kube';
import { buildApp } from './build-app';
import { HttpMetrics } from './http-metrics';
import { type HttpServerOptions } from './http-server-options';
import { defaultLimits } from '../../programs';

/** Running HTTP server. */
export interface HttpServer {
  readonly port: number;
  readonly statusPort: number;
  /**
   * Shuts down: rejects new requests, ends streams with a reconnection time, and waits for requests in flight up to a timeout.
   * Resolves when both ports are closed.
   */
  stop(): Promise<void>;
}

/** Starts the HTTP server of the submission service, and its status server on a separate port. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { service, registry, clock, host = '0.0.0.0' } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const metrics = new HttpMetrics(registry);
  const { app, pipeline } = buildApp({ ...options, limits, metrics });
  metrics.registerGauges(pipeline.guard);
  app.server.maxConnections = limits.maxConnections;
  await app.listen({ host, port: options.port });
  const status = await serveHealth(options.statusPort, host, {
    unhealthyReason: () => undefined,
    notReadyReason: () => (pipeline.isStopping ? 'shutting down' : service.unready()),
    metrics: () => registry.metrics(),
  }).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  const stop = async (): Promise<void> => {
    pipeline.stop();
    const cancel = clock.after(limits.shutdownTimeoutMs, () => app.server.closeAllConnections());
    await app.close();
    cancel();
    await closed(status);
  };
  let stopped: Promise<void> | undefined;
  return { port: portOf(app.server), statusPort: portOf(status), stop: () => (stopped ??= stop()) };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
