import { type Server } from 'node:http';
import { buildApp } from './build-app';
import { EntranceMetrics } from './entrance-metrics';
import { type EntranceOptions } from './entrance-options';
import { defaultLimits } from '../../programs';
import { serveStatus } from './status-listener';

/** An entrance that serves. */
export interface Entrance {
  readonly port: number;
  readonly statusPort: number;
  /**
   * Stops: takes no more requests, ends streams with a hint when to come again, and waits for what is under way, a
   * bounded time. Fulfilled when both ports are free.
   */
  stop(): Promise<void>;
}

/** Serves the operations of the submission service by HTTP, and its status on a port of its own. */
export async function startEntrance(options: EntranceOptions): Promise<Entrance> {
  const { service, registry, clock, host = '0.0.0.0' } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const metrics = new EntranceMetrics(registry);
  const { app, conduct } = buildApp({ ...options, limits, metrics });
  metrics.watch(conduct.gate);
  app.server.maxConnections = limits.connections;
  await app.listen({ host, port: options.port });
  const status = await serveStatus(options.statusPort, host, {
    unready: () => (conduct.isStopping ? 'it stops' : service.unready()),
    metrics: () => registry.metrics(),
  }).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  const stop = async (): Promise<void> => {
    conduct.stop();
    const takeBack = clock.after(limits.stopWithin, () => app.server.closeAllConnections());
    await app.close();
    takeBack();
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
