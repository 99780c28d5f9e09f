import { type ControllerProcess } from '../../local/controller-process';
import { delay } from '../chaos/retry-request';

/** Resources of an idle process. */
export interface ProcessResources {
  /** Bytes of the heap after a full collection. */
  readonly heap: number;
  /** Sockets, timers and other resources that keep the process alive, by type. */
  readonly resources: Readonly<Record<string, number>>;
  /** Cached objects of the cluster, by kind. */
  readonly cached: Readonly<Record<string, number>>;
}

/**
 * Node flags of a controller that collects garbage on SIGUSR2 and does not optimize code: optimized code of V8 grows by
 * megabytes for half an hour and would hide leaks.
 */
export const gcFlags: readonly string[] = [
  '--no-opt',
  '--no-sparkplug',
  '--expose-gc',
  '--import',
  'data:text/javascript,process.on("SIGUSR2",()=>globalThis.gc())',
];

/** Measures a process that was started with `gcFlags`. */
export async function measureResources(controller: ControllerProcess): Promise<ProcessResources> {
  for (let times = 0; times < 3; times++) {
    process.kill(controller.pid, 'SIGUSR2');
    await delay(300);
  }
  const { text } = await controller.get('/metrics');
  return {
    heap: samples(text, 'nodejs_heap_size_used_bytes')[''] ?? NaN,
    resources: samples(text, 'nodejs_active_resources'),
    cached: samples(text, 'pinion_cached_objects'),
  };
}

/** Returns the samples of one metric by label value. */
function samples(text: string, metric: string): Readonly<Record<string, number>> {
  const lines = text.matchAll(new RegExp(`^${metric}(?:\\{[^=]+="([^"]*)"\\})? ([0-9.e+]+)$`, 'gm'));
  return Object.fromEntries([...lines].map(([, label = '', value]) => [label, Number(value)]));
}
