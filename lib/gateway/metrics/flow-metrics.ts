import { Gauge, type Registry } from 'prom-client';
import { type FlowControl } from '../flow-control/flow-control';

/** Registers metrics of the levels, which are read when they are collected. */
export function registerFlowMetrics(registry: Registry, { levels }: FlowControl): void {
  const gauge = (name: string, help: string, key: 'inUse' | 'waiting'): void => {
    new Gauge({
      name: `pinion_gateway_${name}`,
      help,
      labelNames: ['level'],
      registers: [registry],
      collect() {
        for (const [level, seats] of Object.entries(levels)) this.set({ level }, seats[key]);
      },
    });
  };
  gauge('seats_in_use', 'Seats of reads that caches answer now.', 'inUse');
  gauge('waiting_requests', 'Reads that wait for seats of their level.', 'waiting');
}
