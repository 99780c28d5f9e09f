import { isPlainObject } from '../api';
import { type KubernetesObject } from '../expand';
import { writeDocuments } from '../yaml';
import { withPartsFolded } from './profile-parts';

/** Options of `snapshotOf`. */
export interface SnapshotOptions {
  /** Whether to show additions of the runtime profile in one line each or in full. @default folded */
  readonly profile?: 'folded' | 'whole';
}

/**
 * Returns objects as text for `toMatchSnapshot`: YAML with sorted keys, the same for equal objects.
 *
 * Shared metadata (namespace, labels) is listed once at the top. A new profile changes a few lines: images of its
 * containers, names of its ConfigMaps, its own name.
 */
export function snapshotOf(given: readonly (KubernetesObject | Placed)[], options: SnapshotOptions = {}): string {
  const objects = given.map(plain);
  const shown = options.profile === 'whole' ? objects : withPartsFolded(objects);
  const shared = sharedBy(objects);
  const documents = shown.map((object) => sorted(without(object, shared)));
  const head = Object.keys(shared.labels).length > 0 ? [sorted({ everyObject: shared })] : [];
  return [...writeDocuments([...head, ...documents])].join('');
}

/** An object within a chart, such as those of a construct's `objects`. */
interface Placed {
  toJson(): unknown;
}

const plain = (object: KubernetesObject | Placed): KubernetesObject =>
  (typeof object.toJson === 'function' ? (object as Placed).toJson() : object) as KubernetesObject;

/** Metadata shared by all objects. */
interface Shared {
  readonly namespace?: string;
  readonly labels: Readonly<Record<string, string>>;
}

function sharedBy(objects: readonly KubernetesObject[]): Shared {
  const [first, ...others] = objects;
  if (!first || others.length === 0) return { labels: {} };
  const { namespace } = first.metadata;
  const labels = Object.entries(first.metadata.labels ?? {}).filter(([key, value]) =>
    others.every(({ metadata }) => metadata.labels?.[key] === value),
  );
  return {
    ...(namespace !== undefined && others.every(({ metadata }) => metadata.namespace === namespace) && { namespace }),
    labels: Object.fromEntries(labels),
  };
}

/** Returns the tree without shared metadata, also in pod templates. */
function without(value: unknown, shared: Shared): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, shared));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      const rest = without(member, shared);
      return [[key, key === 'metadata' && isPlainObject(rest) ? metadataWithout(rest, shared) : rest]];
    }),
  );
}

function metadataWithout({ labels, namespace, ...rest }: Record<string, unknown>, shared: Shared): unknown {
  const own = Object.entries((labels ?? {}) as Record<string, string>).filter(
    ([key, value]) => shared.labels[key] !== value,
  );
  return {
    ...rest,
    ...(namespace !== undefined && namespace !== shared.namespace && { namespace }),
    ...(own.length > 0 && { labels: Object.fromEntries(own) }),
  };
}

/** Compares keys: identifying keys first, the others alphabetically. */
const leading = ['apiVersion', 'kind', 'metadata', 'name'];
const rank = (key: string) => (leading.indexOf(key) + leading.length + 1) % (leading.length + 1);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  const keys = Object.keys(value).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}
