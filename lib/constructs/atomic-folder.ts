import { closeSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An output folder whose files become visible together, once all of them are complete. */
export class AtomicFolder {
  private readonly folders = new Set<string>();
  private readonly files = new Map<string, string>();
  private readonly draft: string;

  constructor(private readonly path: string) {
    mkdirSync(path, { recursive: true });
    this.draft = mkdtempSync(join(path, '.draft-'));
  }

  /** Number of files written so far. */
  get size(): number {
    return this.files.size;
  }

  /** Creates a subfolder. */
  folder(name: string): void {
    this.folders.add(name);
  }

  /** Writes a file from its chunks, replacing any file of the same name. */
  write(name: string, chunks: Iterable<string>): void {
    const draft = this.files.get(name) ?? join(this.draft, String(this.files.size));
    this.files.set(name, draft);
    const file = openSync(draft, 'w');
    try {
      for (const chunk of chunks) writeSync(file, chunk);
    } finally {
      closeSync(file);
    }
  }

  /** Makes the files visible. */
  finish(): void {
    for (const name of this.folders) mkdirSync(join(this.path, name), { recursive: true });
    for (const [name, draft] of this.files) {
      const target = join(this.path, name);
      if (name.includes('/')) mkdirSync(dirname(target), { recursive: true });
      renameSync(draft, target);
    }
    this.discard();
  }

  /** Removes files that are not visible yet. */
  discard(): void {
    rmSync(this.draft, { recursive: true, force: true });
  }
}
