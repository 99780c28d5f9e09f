/** Items by key, kept consistent while they are listed page by page and change at the same time. */
export interface Collection<T> {
  readonly items: ReadonlyMap<string, T>;
  /** Present while a listing is in progress: listed keys, and keys whose changes are newer than the listing. */
  readonly listing?: { readonly listed: ReadonlySet<string>; readonly changed: ReadonlySet<string> };
  /** Whether it was listed completely at least once. */
  readonly complete: boolean;
}

/** Item of a collection by its key; undefined if it was deleted. */
export interface CollectionEntry<T> {
  readonly key: string;
  readonly item: T | undefined;
}

/** Creates an empty collection. */
export const emptyCollection = <T>(): Collection<T> => ({ items: new Map(), complete: false });

/** Begins a listing; changes from now on are newer than its items. */
export const beginListing = <T>(collection: Collection<T>): Collection<T> => ({
  ...collection,
  listing: { listed: new Set(), changed: new Set() },
});

/** Adds a page of the listing. */
export function addPage<T>(collection: Collection<T>, page: readonly CollectionEntry<T>[]): Collection<T> {
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

/** Ends a listing: drops items that it did not contain and that have not changed meanwhile. */
export function endListing<T>({ items, listing }: Collection<T>): Collection<T> {
  const isPresent = (key: string): boolean => !listing || listing.listed.has(key) || listing.changed.has(key);
  return { items: new Map([...items].filter(([key]) => isPresent(key))), complete: true };
}

/** Applies changes; without changes returns the same object. */
export function applyEntries<T>(collection: Collection<T>, changes: readonly CollectionEntry<T>[]): Collection<T> {
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

function withEntries<T>(items: ReadonlyMap<string, T>, entries: readonly CollectionEntry<T>[]): ReadonlyMap<string, T> {
  const next = new Map(items);
  for (const { key, item } of entries) {
    if (item === undefined) next.delete(key);
    else next.set(key, item);
  }
  return next;
}
