import { type ControllerProcess } from '../../local/controller-process';
import { passed } from '../chaos/persist';

/** What a process holds while nothing is left to do. */
export interface Plateau {
  /** Bytes of the heap after a full collection. */
  readonly heap: number;
  /** Sockets, timers and other resources that keep the process awake, by type. */
  readonly resources: Readonly<Record<string, number>>;
  /** Objects of the cluster that are kept in memory, by kind. */
  readonly mirrored: Readonly<Record<string, number>>;
}

/**
 * Flags of a controller that collects its garbage when it gets SIGUSR2, and compiles nothing: what V8 compiles and
 * compiles again grows by megabytes for half an hour, and would hide what is kept of workloads.
 */
export const collecting: readonly string[] = [
  '--no-opt',
  '--no-sparkplug',
  '--expose-gc',
  '--import',
  'data:text/javascript,process.on("SIGUSR2",()=>globalThis.gc())',
];

/** Looks at a process that was started with `collecting`. */
export async function plateauOf(controller: ControllerProcess): Promise<Plateau> {
  for (let times = 0; times < 3; times++) {
    process.kill(controller.pid, 'SIGUSR2');
    await passed(300);
  }
  const { text } = await controller.ask('/metrics');
  return {
    heap: samples(text, 'nodejs_heap_size_used_bytes')[''] ?? NaN,
    resources: samples(text, 'nodejs_active_resources'),
    mirrored: samples(text, 'pinion_cached_objects'),
  };
}

/** Samples of one metric by the value of its label. */
function samples(text: string, metric: string): Readonly<Record<string, number>> {
  const lines = text.matchAll(new RegExp(`^${metric}(?:\\{[^=]+="([^"]*)"\\})? ([0-9.e+]+)$`, 'gm'));
  return Object.fromEntries([...lines].map(([, label = '', value]) => [label, Number(value)]));
}
