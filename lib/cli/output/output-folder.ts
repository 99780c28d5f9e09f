import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type KubernetesObject } from '../../expand';
import { type InputDocument } from '../input/input-documents';
import { UnavailableError, reasonOf, type Io } from '../io/io';
import { textOf, type OutputFormat } from './object-text';
import { createFolder } from './whole-file';

/**
 * Output folder with one file per document, written atomically.
 *
 * Files are written to a temporary folder next to the target (inside it if it exists, so that both are on the same file system)
 * and moved when all are complete. Files of earlier runs stay, unless one of the same name replaces them.
 */
export class OutputFolder {
  private readonly target: string;
  private readonly shown: string;
  private readonly exists: boolean;
  private readonly temporary: string;
  private readonly names = new Set<string>();
  private readonly removeStopHandler: () => void;

  /** Throws `UnavailableError` if the folder cannot be written. */
  constructor(
    folder: string,
    private readonly format: OutputFormat,
    io: Io,
  ) {
    this.shown = folder;
    this.target = resolve(io.cwd, folder);
    this.exists = existsSync(this.target);
    if (!this.exists) createFolder(dirname(this.target), dirname(folder));
    const parent = this.exists ? this.target : dirname(this.target);
    this.temporary = join(parent, `.${basename(this.target)}-${randomUUID()}`);
    // A signal that arrives once the folder exists must find the cleanup.
    this.removeStopHandler = io.onStop(() => this.remove());
    try {
      this.attempt(() => mkdirSync(this.temporary));
    } catch (error) {
      this.removeStopHandler();
      throw error;
    }
  }

  /** Writes the file of a document; a document without objects gets none. */
  add({ value }: InputDocument, objects: readonly KubernetesObject[]): void {
    if (objects.length === 0) return;
    const name = this.nameFor(value);
    this.write(name, objects);
  }

  /** Writes a file of a given name. */
  put(name: string, objects: readonly object[]): void {
    this.write(`${name}.${this.format}`, objects);
  }

  /** Moves all files to the target folder. */
  commit(): void {
    this.attempt(() => {
      if (!this.exists) {
        renameSync(this.temporary, this.target);
        return;
      }
      for (const name of readdirSync(this.temporary)) renameSync(join(this.temporary, name), join(this.target, name));
      this.remove();
    });
    this.removeStopHandler();
  }

  /** Removes the temporary folder. */
  abandon(): void {
    this.remove();
    this.removeStopHandler();
  }

  private write(name: string, objects: readonly object[]): void {
    this.attempt(() => writeFileSync(join(this.temporary, name), textOf(objects, this.format)));
  }

  private remove(): void {
    rmSync(this.temporary, { recursive: true, force: true });
  }

  /** Returns a name such as `shop.cart.pinterestservice.yaml`; adds a number if the name is taken, which only foreign documents can cause. */
  private nameFor({ kind, metadata }: InputDocument['value']): string {
    const { namespace, name } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
    const parts = [namespace, name, kind].filter((part) => typeof part === 'string' && part !== '') as string[];
    const base = parts
      .map((part) =>
        part
          .replace(/[^\w.-]/g, '_')
          .replace(/^\./, '_')
          .slice(0, 70),
      )
      .join('.')
      .toLowerCase();
    let file = `${base}.${this.format}`;
    for (let count = 2; this.names.has(file); count++) file = `${base}.${count}.${this.format}`;
    this.names.add(file);
    return file;
  }

  private attempt<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw new UnavailableError(`${this.shown}: ${reasonOf(error)}`);
    }
  }
}
