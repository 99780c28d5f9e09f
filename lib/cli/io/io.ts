import { type Clock } from '../../kube';

/** What a command needs of the process that it runs in; `main.ts` makes it of the real one. */
export interface Io {
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** Whether a person looks at standard output, at standard error. */
  readonly terminal: { readonly out: boolean; readonly err: boolean };
  /** Whether comments may be dimmed on a terminal. */
  readonly color: boolean;
  /** All of standard input; ends early once it has more than `limit` bytes. */
  readStdin(limit: number): Promise<Uint8Array>;
  /** Writes to standard output and waits until it is taken. Throws `OutputClosed` when nobody reads any more, else `Inaccessible`. */
  write(text: string): Promise<void>;
  /** Writes to standard error. */
  writeError(text: string): void;
  /** Milliseconds since some moment, never going back. */
  now(): number;
  /** Lets signals and other events in. */
  yieldToEventLoop(): Promise<void>;
  /**
   * Calls `cleanup` if the process is told to stop before the returned function is called; the process ends once what
   * that gives has settled, or when it is told again.
   */
  onStop(cleanup: () => void | Promise<void>): () => void;
  /** What a connection to a cluster needs of the process; without it no cluster is reached. */
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
  override readonly name = 'Inaccessible' as const;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be accessed',
  EPERM: 'may not be accessed',
  ENOSPC: 'has no space left',
  EROFS: 'lies on a read-only file system',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not a folder',
  EEXIST: 'exists already',
  EMFILE: 'cannot be opened: too many files are open',
  ELOOP: 'is a circle of links',
};

/** Why the operating system refused, as a clause. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (typeof code === 'string' ? reasons[code] : undefined) ?? `cannot be used: ${String(message ?? error)}`;
}
