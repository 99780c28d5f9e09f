/** Objects that cannot be decoded, each with its version. */
export class UndecodableObjects {
  /** Errors by key. */
  readonly errors = new Map<string, unknown>();
  private readonly versions = new Map<string, string>();

  /** Adds an object; returns whether this version of it is new. */
  add(key: string, version: string, error: unknown): boolean {
    if (this.versions.get(key) === version) return false;
    this.versions.set(key, version);
    this.errors.set(key, error);
    return true;
  }

  /** Returns the version of a key that cannot be decoded; undefined if there is none. */
  version(key: string): string | undefined {
    return this.versions.get(key);
  }

  /** Removes an object that is fixed or deleted. */
  delete(key: string): void {
    this.versions.delete(key);
    this.errors.delete(key);
  }

  /** Removes all objects that no longer exist. */
  retain(present: ReadonlySet<string>): void {
    for (const key of [...this.errors.keys()]) if (!present.has(key)) this.delete(key);
  }
}
