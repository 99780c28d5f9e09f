import { type HeapProfiler, type Profiler, Session } from 'node:inspector';
import { type Clock, delay } from '../../process';
import { profileFile } from './profile-file';
import { createFrameLocator } from './create-frame-locator';
import { cpuStacks, heapStacks } from './sampled-stacks';

/** Bytes between two memory samples: some thousand samples in a heap of a few hundred MiB. */
const heapInterval = 128 * 1024;
/** Microseconds between two CPU samples, unless that exceeds `maxSamples`. */
const cpuInterval = 1000;
const maxSamples = 60_000;

/**
 * Profiler of the current process, using V8. Profiles contain function names and their costs, but no values of
 * variables.
 */
export class ProcessProfiler {
  readonly #memory = new Session();
  readonly #locate = createFrameLocator();

  private constructor(private readonly clock: Clock) {
    this.#memory.connect();
  }

  /** Starts to sample allocations; profiles do not include earlier ones. */
  static async start(clock: Clock): Promise<ProcessProfiler> {
    const profiler = new ProcessProfiler(clock);
    await post(profiler.#memory, 'HeapProfiler.startSampling', { samplingInterval: heapInterval });
    return profiler;
  }

  /** Returns the compressed CPU profile of the main thread over some seconds; undefined if the request was aborted. */
  async cpu(seconds: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const interval = Math.max(cpuInterval, Math.ceil((seconds * 1_000_000) / maxSamples));
    const session = new Session();
    session.connect();
    try {
      await post(session, 'Profiler.enable');
      await post(session, 'Profiler.setSamplingInterval', { interval });
      const time = this.clock.now();
      await post(session, 'Profiler.start');
      await delay(this.clock, seconds * 1000, signal);
      const { profile } = await post<Profiler.StopReturnType>(session, 'Profiler.stop');
      if (signal.aborted) return undefined;
      return await profileFile({
        values: [
          ['samples', 'count'],
          ['cpu', 'nanoseconds'],
        ],
        stacks: cpuStacks(profile, this.#locate),
        period: interval * 1000,
        time,
        duration: (profile.endTime - profile.startTime) / 1000,
      });
    } finally {
      // Everything that this session started ends with it.
      session.disconnect();
    }
  }

  /** Returns the compressed profile of the memory in use after a garbage collection. */
  async heap(): Promise<Uint8Array> {
    const method = 'HeapProfiler.getSamplingProfile';
    const { profile } = await post<HeapProfiler.GetSamplingProfileReturnType>(this.#memory, method);
    return profileFile({
      values: [['inuse_space', 'bytes']],
      stacks: heapStacks(profile, this.#locate),
      period: heapInterval,
      time: this.clock.now(),
      duration: 0,
    });
  }

  /** Stops sampling. */
  stop(): void {
    this.#memory.disconnect();
  }
}

const post = <Result>(session: Session, method: string, params: object = {}): Promise<Result> =>
  new Promise((resolve, reject) => {
    session.post(method, params, (error, result) => (error ? reject(error) : resolve(result as Result)));
  });
