/** Items by key, kept true while they are listed page by page and change at the same time. */
export interface Collection<T> {
  readonly items: ReadonlyMap<string, T>;
  /** While a listing is under way: keys that it has brought, and keys whose news is newer than it. */
  readonly listing?: { readonly listed: ReadonlySet<string>; readonly changed: ReadonlySet<string> };
  /** Whether all of it was listed at least once. */
  readonly complete: boolean;
}

/** One thing that happened to a collection; an item that is undefined is gone. */
export interface Entry<T> {
  readonly key: string;
  readonly item: T | undefined;
}

/** A collection that nothing is known of. */
export const emptyCollection = <T>(): Collection<T> => ({ items: new Map(), complete: false });

/** A listing begins; what changes from now on is newer than what it will say. */
export const beginListing = <T>(collection: Collection<T>): Collection<T> => ({
  ...collection,
  listing: { listed: new Set(), changed: new Set() },
});

/** A page of the listing came. */
export function takePage<T>(collection: Collection<T>, page: readonly Entry<T>[]): Collection<T> {
  const { listed = new Set<string>(), changed = new Set<string>() } = collection.listing ?? {};
  return {
    ...collection,
    items: withEntries(
      collection.items,
      page.filter(({ key }) => !changed.has(key)),
    ),
    listing: { listed: new Set([...listed, ...page.map(({ key }) => key)]), changed },
  };
}

/** The listing has ended: what it did not bring is gone, unless news of it came meanwhile. */
export function endListing<T>({ items, listing }: Collection<T>): Collection<T> {
  const isThere = (key: string): boolean => !listing || listing.listed.has(key) || listing.changed.has(key);
  return { items: new Map([...items].filter(([key]) => isThere(key))), complete: true };
}

/** The collection after changes were announced; without changes the very same. */
export function takeChanges<T>(collection: Collection<T>, changes: readonly Entry<T>[]): Collection<T> {
  if (changes.length === 0) return collection;
  const { listing } = collection;
  return {
    ...collection,
    items: withEntries(collection.items, changes),
    ...(listing && {
      listing: { ...listing, changed: new Set([...listing.changed, ...changes.map(({ key }) => key)]) },
    }),
  };
}

function withEntries<T>(items: ReadonlyMap<string, T>, entries: readonly Entry<T>[]): ReadonlyMap<string, T> {
  const next = new Map(items);
  for (const { key, item } of entries) {
    if (item === undefined) next.delete(key);
    else next.set(key, item);
  }
  return next;
}
