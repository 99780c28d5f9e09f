import { isPlainObject } from '../api';
import { type KubernetesObject } from '../expand';
import { writeDocuments } from '../yaml';
import { foldParts } from './profile-parts';

/** Options of `snapshotOf`. */
export interface SnapshotOptions {
  /** Whether to show additions of the runtime profile on one line each or in full. @default folded */
  readonly profile?: 'folded' | 'whole';
}

/**
 * Formats objects for `toMatchSnapshot`: YAML with sorted keys, identical for equal objects.
 *
 * Shared metadata (namespace, labels) is listed once at the top. A new profile changes only a few lines: images of its
 * containers, names of its ConfigMaps, and its own name.
 */
export function snapshotOf(input: readonly (KubernetesObject | ChartObject)[], options: SnapshotOptions = {}): string {
  const objects = input.map(toPlainObject);
  const shown = options.profile === 'whole' ? objects : foldParts(objects);
  const shared = sharedMetadata(objects);
  const documents = shown.map((object) => sorted(withoutShared(object, shared)));
  const head = Object.keys(shared.labels).length > 0 ? [sorted({ everyObject: shared })] : [];
  return [...writeDocuments([...head, ...documents])].join('');
}

/** An object in a chart, such as one of a construct's `objects`. */
interface ChartObject {
  toJson(): unknown;
}

const toPlainObject = (object: KubernetesObject | ChartObject): KubernetesObject =>
  (typeof object.toJson === 'function' ? (object as ChartObject).toJson() : object) as KubernetesObject;

/** Metadata shared by all objects. */
interface Shared {
  readonly namespace?: string;
  readonly labels: Readonly<Record<string, string>>;
}

function sharedMetadata(objects: readonly KubernetesObject[]): Shared {
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

/** Returns the value without shared metadata, including in pod templates. */
function withoutShared(value: unknown, shared: Shared): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutShared(item, shared));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      const rest = withoutShared(member, shared);
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

/** Keys that come first; all others are sorted alphabetically. */
const leadingKeys = ['apiVersion', 'kind', 'metadata', 'name'];
const rank = (key: string) => (leadingKeys.indexOf(key) + leadingKeys.length + 1) % (leadingKeys.length + 1);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  const keys = Object.keys(value).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}
