/** The time, handed in, so that only a process entry reads the real one and tests can turn it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after some milliseconds; the returned function takes it back. */
  after(milliseconds: number, callback: () => void): () => void;
  /** A number from 0 to 1, 1 left out: for jitter. */
  random(): number;
}
