/** A file that user data writes on a machine. */
export interface MachineFile {
  readonly path: string;
  readonly content: string;
  /** Octal, as in `0644`. */
  readonly mode: '0600' | '0644' | '0755';
}

/** Returns a file that all users can read. */
export const plainFile = (path: string, content: string): MachineFile => ({ path, content, mode: '0644' });

/** Returns an executable file. */
export const program = (path: string, content: string): MachineFile => ({ path, content, mode: '0755' });
