import { totalmem } from 'node:os';
import { Gauge, type Registry } from 'prom-client';

/** State of a gateway's process. */
export interface ProcessState {
  /** Returns whether it should get requests. */
  readonly isReady: () => boolean;
  /** Bytes of memory to which its control group is limited. @default - that of the process, if it has a limit */
  readonly memoryLimit?: number | undefined;
}

/** Registers metrics of the process that exist whether or not the gateway has started. */
export function registerProcessMetrics(
  registry: Registry,
  { isReady, memoryLimit = ownMemoryLimit() }: ProcessState,
): void {
  const registers = [registry];
  new Gauge({
    name: 'pinion_gateway_ready',
    help: 'Whether the gateway is ready, as /readyz states it.',
    registers,
    collect() {
      this.set(isReady() ? 1 : 0);
    },
  });
  if (memoryLimit === undefined) return;
  new Gauge({
    name: 'pinion_gateway_memory_limit_bytes',
    help: 'Memory limit of the container; absent without one.',
    registers,
  }).set(memoryLimit);
}

/** Returns the limit of the control group; without one, Node returns a number beyond the memory of the machine, or 0. */
function ownMemoryLimit(): number | undefined {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : undefined;
}
