/** Objects that are set aside because they cannot be kept, each with the version that is broken. */
export class BrokenObjects {
  /** Why each is set aside, by key. */
  readonly errors = new Map<string, unknown>();
  private readonly versions = new Map<string, string>();

  /** Sets one aside; says whether this version of it is new here. */
  add(key: string, version: string, error: unknown): boolean {
    if (this.versions.get(key) === version) return false;
    this.versions.set(key, version);
    this.errors.set(key, error);
    return true;
  }

  /** The version of a key that is broken; undefined where it is sound. */
  version(key: string): string | undefined {
    return this.versions.get(key);
  }

  /** Forgets one that is mended or gone. */
  delete(key: string): void {
    this.versions.delete(key);
    this.errors.delete(key);
  }

  /** Forgets those that are gone. */
  retain(present: ReadonlySet<string>): void {
    for (const key of [...this.errors.keys()]) if (!present.has(key)) this.delete(key);
  }
}
