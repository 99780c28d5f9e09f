import { type HeapProfiler, type Profiler, Session } from 'node:inspector';
import { type Clock, delay } from '../../kube';
import { profileFile } from './profile-file';
import { createFrameLocator } from './create-frame-locator';
import { cpuStacks, heapStacks } from './sampled-stacks';

/** Bytes between two memory samples: some thousand samples in a heap of a few hundred MiB. */
const heapInterval = 128 * 1024;
/** Microseconds between two CPU samples, unless that exceeds `maxSamples`. */
const cpuInterval = 1000;
const maxSamples = 60_000;

/**
 * Profiler of its own process, using V8. Profiles contain names of functions and their costs, but no values of
 * variables.
 */
export class OwnProfiler {
  readonly #memory = new Session();
  readonly #placeOf = createFrameLocator();

  private constructor(private readonly clock: Clock) {
    this.#memory.connect();
  }

  /** Starts to sample allocations; earlier ones are in no profile. */
  static async start(clock: Clock): Promise<OwnProfiler> {
    const profiler = new OwnProfiler(clock);
    await ask(profiler.#memory, 'HeapProfiler.startSampling', { samplingInterval: heapInterval });
    return profiler;
  }

  /** Returns the compressed CPU profile of the main thread over some seconds; undefined if the request was aborted. */
  async cpu(seconds: number, gone: AbortSignal): Promise<Uint8Array | undefined> {
    const interval = Math.max(cpuInterval, Math.ceil((seconds * 1_000_000) / maxSamples));
    const session = new Session();
    session.connect();
    try {
      await ask(session, 'Profiler.enable');
      await ask(session, 'Profiler.setSamplingInterval', { interval });
      const time = this.clock.now();
      await ask(session, 'Profiler.start');
      await delay(this.clock, seconds * 1000, gone);
      const { profile } = await ask<Profiler.StopReturnType>(session, 'Profiler.stop');
      if (gone.aborted) return undefined;
      return await profileFile({
        values: [
          ['samples', 'count'],
          ['cpu', 'nanoseconds'],
        ],
        stacks: cpuStacks(profile, this.#placeOf),
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
    const { profile } = await ask<HeapProfiler.GetSamplingProfileReturnType>(this.#memory, method);
    return profileFile({
      values: [['inuse_space', 'bytes']],
      stacks: heapStacks(profile, this.#placeOf),
      period: heapInterval,
      time: this.clock.now(),
      duration: 0,
    });
  }

  /** Stops sampling. */
  end(): void {
    this.#memory.disconnect();
  }
}

const ask = <Answer>(session: Session, method: string, given: object = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    session.post(method, given, (error, answer) => (error ? reject(error) : resolve(answer as Answer)));
  });
