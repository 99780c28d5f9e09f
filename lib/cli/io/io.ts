import { type Clock } from '../../kube';

/** What a command can access of its process, implemented in `main.ts`. */
export interface Io {
  /** Working directory. */
  readonly cwd: string;
  /** Whether standard output and standard error are terminals. */
  readonly terminal: { readonly out: boolean; readonly err: boolean };
  /** Whether comments may be dimmed on a terminal. */
  readonly color: boolean;
  /** All of standard input; ends early once it has more than `limit` bytes. */
  readStdin(limit: number): Promise<Uint8Array>;
  /**
   * Writes to standard output and waits until it is written. Throws `OutputClosed` if the reader closed it, and
   * `UnavailableError` if writing fails otherwise.
   */
  write(text: string): Promise<void>;
  /** Writes to standard error. */
  writeError(text: string): void;
  /** Asks on the terminal; returns undefined at the end of input. @default - no terminal, so nothing can be asked */
  readonly ask?: (question: string) => Promise<string | undefined>;
  /** Monotonic time in milliseconds. */
  now(): number;
  /** Yields to the event loop, so that signals and other events are handled. */
  yieldToEventLoop(): Promise<void>;
  /**
   * Calls `cleanup` if the process is stopped before the returned function is called. The process exits once the
   * promise that `cleanup` returns settles, or on a second signal.
   */
  onStop(cleanup: () => void | Promise<void>): () => void;
  /** System access for connecting to clusters. @default - no connections */
  readonly system?: {
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly clock: Clock;
  };
}

/** Thrown when standard output was closed by its reader, as `| head` does. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed' as const;
}

/** Thrown when a file or folder cannot be read or written. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError' as const;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be accessed: permission denied',
  EPERM: 'cannot be accessed: permission denied',
  ENOSPC: 'has no space left',
  EROFS: 'is on a read-only file system',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not a folder',
  EEXIST: 'already exists',
  EMFILE: 'cannot be opened: too many files are open',
  ELOOP: 'is a loop of symbolic links',
};

/** Returns the reason for a system error, as a clause. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (typeof code === 'string' ? reasons[code] : undefined) ?? `cannot be used: ${String(message ?? error)}`;
}
